//! libjrace.so: the agent that weaves classes as they load and checks them as they run.
