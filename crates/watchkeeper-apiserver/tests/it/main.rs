//! The API server's rules at request level, named after the bullets they hold.
