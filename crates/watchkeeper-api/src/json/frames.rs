//! Finding whole values in bytes that arrive in pieces.
