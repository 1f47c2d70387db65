//! What is inside the executable and where: the only room that knows that data comes from the executable.
