//! The name of a URL's host.

/// Returns the host of a URL in lower case, with its port if that is not the default port of the scheme. `None` if the URL has no
/// host.
///
/// The part before `@`, a dot at the end and the default port are left out (RFC 3986, 3.2). The form of the host is not checked.
pub fn host_name(url: &str) -> Option<String> {
    let (scheme, rest) = url.trim().split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let place = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let own = match scheme.to_ascii_lowercase().as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => ":",
    };
    let place = place.strip_suffix(own).unwrap_or(&place);
    let place = place.strip_suffix(':').unwrap_or(place);
    let name = place.strip_suffix('.').unwrap_or(place);
    (!name.is_empty() && !name.starts_with(':')).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_urls() {
        for (url, name) in [
            ("https://Docs.Example.org/a/b?c#d", "docs.example.org"),
            ("http://example.org", "example.org"),
            ("https://me:secret@example.org:443/", "example.org"),
            ("http://example.org:8080?q=a@b", "example.org:8080"),
            ("http://example.org.:80/", "example.org"),
            ("http://[2001:db8::1]:80/", "[2001:db8::1]"),
            ("ftp://example.org:80/", "example.org:80"),
        ] {
            assert_eq!(host_name(url).as_deref(), Some(name), "{url}");
        }
        for url in ["", "docs/a.html", "file:///tmp/a", "https://", "http://:80/", "mailto:me@example.org"] {
            assert_eq!(host_name(url), None, "{url}");
        }
    }
}
