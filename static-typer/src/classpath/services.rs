//! Providers of services: files in `META-INF/services` that have the name of the service, with a class in each line
//! (`java.util.ServiceLoader`).

/// The folder, in a directory or a jar.
pub(super) const FOLDER: &str = "META-INF/services/";

/// The service that a file is about, if it is one of these.
pub(super) fn service_of(entry: &str) -> Option<&str> {
    let folder = entry.rfind(FOLDER)?;
    let service = &entry[folder + FOLDER.len()..];
    (!service.is_empty() && !service.contains('/')).then_some(service)
}

/// Service and provider for each line of a file.
pub(super) fn providers<'a>(service: &'a str, text: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
    let classes = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    classes.filter(|class| !class.is_empty()).map(|class| (service.to_owned(), class.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_name_nobody() {
        let all: Vec<_> = providers("a.S", "# none\n\n a.One # the first\na.Two$In\n").collect();
        assert_eq!(all, [("a.S", "a.One"), ("a.S", "a.Two$In")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn only_files_right_in_the_folder_are_about_services() {
        assert_eq!(service_of("META-INF/services/a.S"), Some("a.S"));
        assert_eq!(service_of("BOOT-INF/classes/META-INF/services/a.S"), Some("a.S"));
        assert_eq!(service_of("META-INF/services/"), None);
        assert_eq!(service_of("META-INF/services/more/a.S"), None);
        assert_eq!(service_of("META-INF/MANIFEST.MF"), None);
    }
}
