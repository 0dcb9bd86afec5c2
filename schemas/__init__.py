"""What is said between workers and clients. Structs only; imports msgspec and typing."""
