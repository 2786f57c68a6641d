//! The class path and the program model that static analyses work on.
