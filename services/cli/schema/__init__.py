"""The contract for client authors, made from `schemas`: JSON Schema, AsyncAPI, TypeScript types."""
