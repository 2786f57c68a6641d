//! Class bytes in, woven class bytes out.
