//! Words of names, and the names of types made of them.

use crate::name;

/// `accessKeyIDSecretRef` is `access key id secret ref`.
pub(crate) fn of(name: &str) -> Vec<String> {
    let snake = name::snake_case(name);
    snake.split('_').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// `AccessKeyIdSecretRef`.
pub(crate) fn pascal<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    let mut out = String::new();
    for word in words {
        let mut chars = word.as_ref().chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

/// One of several: `policies` is `policy`, `addresses` is `address`, `rules` is `rule`.
pub(crate) fn singular(word: &str) -> String {
    let cut = |end: &str, with: &str| {
        word.strip_suffix(end).filter(|stem| stem.len() > 1).map(|stem| format!("{stem}{with}"))
    };
    if word.ends_with("ss")
        || word.ends_with("us")
        || word.ends_with("is")
        || matches!(word, "dns" | "tls" | "aws")
    {
        return word.to_owned();
    }
    cut("ies", "y")
        .or_else(|| cut("sses", "ss"))
        .or_else(|| cut("uses", "us"))
        .or_else(|| cut("shes", "sh"))
        .or_else(|| cut("tches", "tch"))
        .or_else(|| cut("xes", "x"))
        .or_else(|| cut("s", ""))
        .unwrap_or_else(|| word.to_owned())
}

/// The words that all end with.
pub(crate) fn common_end<'a>(all: impl IntoIterator<Item = &'a [String]>) -> &'a [String] {
    let mut all = all.into_iter();
    let mut end = all.next().unwrap_or_default();
    for words in all {
        let same = end.iter().rev().zip(words.iter().rev()).take_while(|(a, b)| a == b).count();
        end = &end[end.len() - same..];
    }
    end
}

/// `Foo` of `com.example.v1.Foo`.
pub(crate) fn last(component: &str) -> &str {
    component.rsplit('.').next().unwrap_or(component)
}
