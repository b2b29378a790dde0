//! Files that an operator puts below a tenant's file root, for `fileFromFile()`: read step by step, so that no link and no
//! `..` leads out of it.

use rustix::fs::{FileType, Mode, OFlags, fstat, open, openat};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::Path;

/// Reads up to one byte more than so many of a regular file below a folder. Nothing is told of why it cannot be read.
pub(crate) fn read_below(root: &Path, name: &str, most: usize) -> io::Result<Vec<u8>> {
    let refused = || io::Error::from(io::ErrorKind::NotFound);
    let parts: Vec<&str> = name.split('/').collect();
    if parts.iter().any(|part| matches!(*part, "" | "." | "..") || part.contains(['\0', '\\'])) {
        return Err(refused());
    }
    let (last, folders) = parts.split_last().ok_or_else(refused)?;
    let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut here: OwnedFd = open(root, step, Mode::empty())?;
    for folder in folders {
        here = openat(&here, *folder, step, Mode::empty())?;
    }
    // A FIFO must not make us wait for whoever writes to it.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(&here, *last, flags, Mode::empty())?;
    let state = fstat(&file)?;
    if FileType::from_raw_mode(state.st_mode) != FileType::RegularFile {
        return Err(refused());
    }
    let mut bytes = Vec::new();
    File::from(file).take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::read_below;
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_leads_out_of_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/b/c.txt"), "inside").unwrap();
        std::fs::write(folder.path().join("outside.txt"), "outside").unwrap();
        symlink(folder.path(), root.join("up")).unwrap();
        symlink(folder.path().join("outside.txt"), root.join("link.txt")).unwrap();
        symlink(root.join("a/b/c.txt"), root.join("within.txt")).unwrap();
        assert_eq!(read_below(&root, "a/b/c.txt", 10).unwrap(), b"inside");
        assert_eq!(read_below(&root, "a/b/c.txt", 2).unwrap(), b"ins", "one more, and no further");
        for name in [
            "",
            ".",
            "..",
            "../outside.txt",
            "a/../../outside.txt",
            "a/b/../b/c.txt",
            "/etc/passwd",
            "a//b/c.txt",
            "up/outside.txt",
            "link.txt",
            "within.txt",
            "a",
            "a/b",
            "a/b/",
            "./a/b/c.txt",
            "a\\b",
            "absent",
            "a/\0",
            "file:///etc/passwd",
            "/proc/self/environ",
        ] {
            assert!(read_below(&root, name, 10).is_err(), "{name:?}");
        }
        let linked = folder.path().join("linked");
        symlink(&root, &linked).unwrap();
        assert!(read_below(&linked, "a/b/c.txt", 10).is_err(), "the root itself is no link");
    }
}
