//! How structs are read, by their tables of names. What is generic is built once for each type that needs it;
//! a method of a type would be built for every type.

use super::{Fields, Names, ReadError, Reader};

/// A value of its own.
pub fn read<T: Fields + Default>(
    r: &mut Reader<'_>,
    names: &'static Names,
) -> Result<T, ReadError> {
    let mut value = T::default();
    r.object(names, &mut value)?;
    Ok(value)
}

/// One more element of a list, read where it stays.
pub fn read_onto<T: Fields + Default>(
    elements: &mut Vec<T>,
    r: &mut Reader<'_>,
    names: &'static Names,
) -> Result<(), ReadError> {
    elements.push(T::default());
    elements.last_mut().map_or(Ok(()), |element| r.object(names, element))
}

/// A member that may be absent, read where it stays.
pub fn read_option<T: Fields + Default>(
    slot: &mut Option<T>,
    r: &mut Reader<'_>,
    names: &'static Names,
) -> Result<(), ReadError> {
    if r.null()? {
        *slot = None;
        return Ok(());
    }
    r.object(names, slot.get_or_insert_default())
}

/// As [`read_option`], behind a pointer.
pub fn read_boxed<T: Fields + Default>(
    slot: &mut Option<Box<T>>,
    r: &mut Reader<'_>,
    names: &'static Names,
) -> Result<(), ReadError> {
    if r.null()? {
        *slot = None;
        return Ok(());
    }
    r.boxed(size_of::<T>());
    r.object(names, &mut **slot.get_or_insert_default())
}
