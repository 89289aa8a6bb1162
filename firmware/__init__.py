"""What runs on the reader boards. The table uses `firmware.wire` only; on a board: `import wire`."""
