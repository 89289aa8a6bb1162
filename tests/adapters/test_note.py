"""The note that lies beside the saved games."""

from __future__ import annotations

from pathlib import Path

from companion.adapters import note


def test_it_says_in_every_language_which_files_belong_together(tmp_path: Path) -> None:
    note.write(tmp_path)
    english, portuguese = (tmp_path / "README.txt").read_text(encoding="utf-8").split("\n\n")
    assert "copy the whole folder" in " ".join(english.split())
    assert "copie a pasta inteira" in " ".join(portuguese.split())
    for part in (english, portuguese):
        assert "gryphon.sqlite3-wal" in part
        assert "Gryphon.sqlite3" not in part, "the name of a file keeps its letters, also where a sentence begins"
        assert max(map(len, part.splitlines())) <= 78


def test_what_somebody_wrote_there_stays(tmp_path: Path) -> None:
    (tmp_path / "README.txt").write_text("mine")
    note.write(tmp_path)
    assert (tmp_path / "README.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    note.write(tmp_path / "not there")
    assert list(tmp_path.iterdir()) == []
