//! The machine: how much memory a run may have.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the largest number of bytes of memory that this process can have: that of the machine, or the limit of a control
/// group, such as a container's, if that is lower. `None` if the system reports neither.
pub fn memory() -> Option<usize> {
    limit(|path| fs::read_to_string(path).ok())
}

fn limit(read: impl Fn(&Path) -> Option<String>) -> Option<usize> {
    let machine = read(Path::new("/proc/meminfo")).and_then(|text| {
        let kilobytes: usize = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.split_whitespace().next()?.parse().ok()?;
        Some(kilobytes * 1024)
    });
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    // A group without a limit has "max", or in version 1 a number that no machine reaches.
    let limits = groups.lines().flat_map(limits).filter_map(|path| read(&path)?.trim().parse().ok());
    limits.chain(machine).min()
}

/// Returns the files with the limits of a group, `NUMBER:CONTROLLERS:/PATH`: its own file and those of the groups that contain
/// it.
fn limits(group: &str) -> Vec<PathBuf> {
    let mut parts = group.splitn(3, ':').skip(1);
    let (root, file) = match parts.next() {
        Some("") => ("/sys/fs/cgroup", "memory.max"),
        Some(controllers) if controllers.split(',').any(|name| name == "memory") => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        _ => return Vec::new(),
    };
    let path = parts.next().unwrap_or_default().trim_start_matches('/');
    Path::new(path).ancestors().map(|group| Path::new(root).join(group).join(file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path and the content of the file.
    type File = (&'static str, &'static str);

    const MACHINE: File = ("/proc/meminfo", "MemTotal:        8000000 kB\nMemFree:          100 kB\n");
    const WHOLE: usize = 8_000_000 * 1024;

    fn limit_of(files: &[File]) -> Option<usize> {
        limit(|path| files.iter().find(|file| Path::new(file.0) == path).map(|file| file.1.to_owned()))
    }

    #[test]
    fn the_least_of_machine_and_groups_counts() {
        let version_2 = ("/proc/self/cgroup", "0::/a.slice/b.scope\n");
        let version_1 = ("/proc/self/cgroup", "5:cpu,cpuacct:/docker/x\n4:hugetlb,memory:/docker/x\n1:name=memory:/y\n");
        let cases: &[(&[File], Option<usize>)] = &[
            (&[], None),
            (&[MACHINE], Some(WHOLE)),
            (&[("/proc/meminfo", "no such line\n")], None),
            (&[MACHINE, ("/proc/self/cgroup", "0::/\n"), ("/sys/fs/cgroup/memory.max", "1073741824\n")], Some(1 << 30)),
            (&[MACHINE, version_2, ("/sys/fs/cgroup/a.slice/b.scope/memory.max", "max\n")], Some(WHOLE)),
            (&[MACHINE, version_2, ("/sys/fs/cgroup/a.slice/b.scope/memory.max", "4096\n")], Some(4096)),
            (
                &[
                    MACHINE,
                    version_2,
                    ("/sys/fs/cgroup/a.slice/b.scope/memory.max", "8192\n"),
                    ("/sys/fs/cgroup/a.slice/memory.max", "4096\n"),
                ],
                Some(4096),
            ),
            (&[MACHINE, version_1, ("/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "4096\n")], Some(4096)),
            // In a container the group's own path may not exist; the limit is then at the root.
            (&[MACHINE, version_1, ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4096\n")], Some(4096)),
            (&[MACHINE, version_1, ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")], Some(WHOLE)),
            (&[MACHINE, version_1, ("/sys/fs/cgroup/memory/y/memory.limit_in_bytes", "4096\n")], Some(WHOLE)),
            (&[version_2, ("/sys/fs/cgroup/memory.max", "4096\n")], Some(4096)),
        ];
        for (files, memory) in cases {
            assert_eq!(limit_of(files), *memory, "{files:?}");
        }
    }
}
