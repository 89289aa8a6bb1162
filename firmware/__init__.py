"""What runs on the reader boards. The table uses `firmware.wire` only; on a board the files lie flat (`import wire`)."""
