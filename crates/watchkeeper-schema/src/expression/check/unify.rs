//! Whether types fit each other, and what is found out by that of what is still open
//! (cel-go, `checker/types.go`, `checker/mapping.go`).

use super::types::{Form, Type};

/// How deep types are looked into.
const DEEPEST: usize = 200;

/// What has been found out so far.
///
/// Upstream follows types as far as they go, which for some texts is without an end that anybody would see. Here
/// the steps are counted: when there are none left everything fits, and whoever asks has to look whether it is so.
#[derive(Debug)]
pub(super) struct Bindings {
    found: Vec<Option<Type>>,
    /// What was there before, of what has been found out since it was certain.
    before: Vec<(usize, Option<Type>)>,
    left: usize,
}

/// Whether something open stands for a type.
enum Verdict {
    Yes,
    /// It stands for another one.
    Taken,
    No,
}

impl Bindings {
    pub(super) const fn new(steps: usize) -> Self {
        Self { found: Vec::new(), before: Vec::new(), left: steps }
    }

    /// Whether the steps have run out.
    pub(super) const fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Something that is still to be found out.
    pub(super) fn fresh(&mut self) -> Type {
        if !self.step(0) {
            return Type::Dyn;
        }
        self.found.push(None);
        Type::Free(self.found.len() - 1)
    }

    /// Whether a value may be of both types; what that says of what is open holds from now on.
    pub(super) fn accepts(&mut self, wanted: &Type, given: &Type) -> bool {
        self.accepts_all(std::slice::from_ref(wanted), std::slice::from_ref(given))
    }

    /// The same of several at once.
    pub(super) fn accepts_all(&mut self, all: &[Type], others: &[Type]) -> bool {
        self.before.clear();
        let fits = self.all_fit(all, others, 0);
        if !fits {
            while let Some((at, before)) = self.before.pop() {
                self.found[at] = before;
            }
        }
        fits
    }

    /// A type with what has been found out of it.
    pub(super) fn known(&mut self, of: &Type) -> Type {
        self.substitute(of, false, 0)
    }

    /// The same in the end: what has not been found out shows when it runs.
    pub(super) fn settled(&mut self, of: &Type) -> Type {
        self.substitute(of, true, 0)
    }

    /// Whether there is a step left to take.
    fn step(&mut self, level: usize) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0 && level < DEEPEST
    }

    fn all_fit(&mut self, all: &[Type], others: &[Type], level: usize) -> bool {
        all.len() == others.len()
            && all.iter().zip(others).all(|(one, other)| self.fits(one, other, level))
    }

    fn fits(&mut self, one: &Type, other: &Type, level: usize) -> bool {
        if !self.step(level) {
            return true;
        }
        if let Type::Free(at) = other {
            match self.stands_for(*at, one, level) {
                Verdict::Yes => return true,
                Verdict::Taken => return false,
                Verdict::No => {}
            }
        }
        if let Type::Free(at) = one {
            return matches!(self.stands_for(*at, other, level), Verdict::Yes);
        }
        match (one, other) {
            (Type::Dyn | Type::Any | Type::Error, _) | (_, Type::Dyn | Type::Any | Type::Error) => {
                true
            }
            (Type::Null, other) | (other, Type::Null) => other.is_nullable(),
            (Type::Unspecified, _) | (_, Type::Unspecified) => false,
            (Type::Of(one), Type::Of(other)) if one.form == other.form => {
                one.form == Form::Type || self.all_fit(&one.parts, &other.parts, level + 1)
            }
            (one, other) => one == other,
        }
    }

    fn stands_for(&mut self, at: usize, of: &Type, level: usize) -> Verdict {
        if *of == Type::Free(at) {
            return Verdict::Yes;
        }
        let Some(known) = self.found[at].clone() else {
            if self.mentions(of, at, level) {
                return Verdict::No;
            }
            self.bind(at, of.clone());
            return Verdict::Yes;
        };
        if *of == known {
            return Verdict::Yes;
        }
        if !self.fits(of, &known, level + 1) {
            return Verdict::Taken;
        }
        let general = if of.is_looser(&known) { of.clone() } else { known };
        if !self.mentions(&general, at, level) {
            self.bind(at, general);
        }
        Verdict::Yes
    }

    fn bind(&mut self, at: usize, to: Type) {
        let before = self.found[at].replace(to);
        self.before.push((at, before));
    }

    /// Whether a type cannot be written out without something that is open: it may not stand for that.
    fn mentions(&mut self, of: &Type, at: usize, level: usize) -> bool {
        if !self.step(level) {
            return true;
        }
        match of {
            Type::Free(other) if *other == at => true,
            Type::Free(other) => {
                let known = self.found[*other].clone();
                known.is_some_and(|known| self.mentions(&known, at, level + 1))
            }
            Type::Of(inner) if of.is_open() => {
                inner.parts.iter().any(|part| self.mentions(part, at, level + 1))
            }
            _ => false,
        }
    }

    fn substitute(&mut self, of: &Type, is_end: bool, level: usize) -> Type {
        if !of.is_open() {
            return of.clone();
        }
        if !self.step(level) {
            return Type::Dyn;
        }
        match of {
            Type::Free(at) => match self.found[*at].clone() {
                Some(known) => self.substitute(&known, is_end, level + 1),
                None if is_end => Type::Dyn,
                None => of.clone(),
            },
            Type::Of(of) => {
                let parts = of.parts.iter();
                let parts = parts.map(|part| self.substitute(part, is_end, level + 1)).collect();
                Type::of(of.form, parts)
            }
            _ => Type::Dyn,
        }
    }
}
