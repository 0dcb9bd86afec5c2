"""What is said between workers, clients and operators. Structs only; imports msgspec and typing."""
