//! Whom to trust and who we are, as long as the files say so.
//!
//! Certificates in files are renewed by somebody: cert-manager, the kubelet, an operator. They are read
//! again once a minute, and at once when a server is no longer trusted or no longer knows us (upstream:
//! `transport/cert_rotation.go`, every five minutes, and `ca_rotation.go`). What cannot be read, or does
//! not fit together because only half of it is written, changes nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::pem::Pem;
use crate::tls::{Identity, Trust, authorities, client_config};

#[cfg(test)]
mod tests;

/// How long files are believed to be unchanged.
const AGE: Duration = Duration::from_secs(60);

/// Whose certificates a server may have, and where they are written.
#[derive(Clone, Debug)]
pub(crate) enum Trusted {
    Roots(Pem),
    Machine,
    Anybody,
}

/// Where our certificate is written.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    pub(crate) certificate: Pem,
    pub(crate) key: Pem,
}

/// What cannot be read, or is none, with what to do.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// The certificates of those who are trusted.
    Trusted(String),
    /// Our certificate or its key.
    Ours(String),
}

/// What was read, made ready.
#[derive(Debug)]
pub(crate) struct Material {
    pub(crate) trust: Trust,
    pub(crate) identity: Option<Identity>,
    /// How often it changed.
    pub(crate) generation: u64,
}

/// Certificates, kept fresh.
pub(crate) struct Certs {
    trusted: Trusted,
    sources: Option<Sources>,
    state: Mutex<State>,
}

struct State {
    /// When the files are to be read again.
    next: Option<Instant>,
    texts: Texts,
    material: Arc<Material>,
}

/// The files' contents.
#[derive(Default, PartialEq, Eq)]
struct Texts {
    roots: Vec<u8>,
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Certs {
    /// Reads them for the first time.
    ///
    /// # Errors
    /// What cannot be read, or is none. Whether key and certificate fit is seen by [`Self::fit`].
    pub(crate) fn open(trusted: Trusted, sources: Option<Sources>) -> Result<Self, Unusable> {
        let mut texts = Texts::default();
        if let Trusted::Roots(pem) = &trusted {
            texts.roots = pem.read().map_err(Unusable::Trusted)?;
        }
        if let Some(sources) = &sources {
            texts.certificate = sources.certificate.read().map_err(Unusable::Ours)?;
            texts.key = sources.key.read().map_err(Unusable::Ours)?;
        }
        let (trust, identity) = ready(&trusted, sources.as_ref(), &texts)?;
        let material = Arc::new(Material { trust, identity, generation: 0 });
        let state = Mutex::new(State { next: None, texts, material });
        Ok(Self { trusted, sources, state })
    }

    /// Where our certificate is written, if there is one.
    pub(crate) fn ours(&self) -> Option<String> {
        self.sources.as_ref().map(|ours| ours.certificate.name())
    }

    /// Whether a connection could be made with our certificate and key.
    pub(crate) fn fit(&self) -> Result<(), String> {
        let material = Arc::clone(&self.state().material);
        client_config(&material.trust, material.identity.as_ref()).map(|_| ())
    }

    /// What the files said within the last minute.
    ///
    /// # Cancel safety
    /// Dropping the future leaves it to a later caller, a minute on, to read them.
    pub(crate) async fn current(&self) -> Arc<Material> {
        if !self.is_due() {
            return Arc::clone(&self.state().material);
        }
        match self.read().await {
            Ok(texts) => self.take(texts),
            Err(_kept) => Arc::clone(&self.state().material),
        }
    }

    /// The server does not trust us, or we do not trust it: look at once.
    pub(crate) fn doubt(&self) {
        self.state().next = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this caller is to read the files.
    fn is_due(&self) -> bool {
        let roots = matches!(&self.trusted, Trusted::Roots(pem) if pem.is_file());
        let ours = self
            .sources
            .as_ref()
            .is_some_and(|ours| ours.certificate.is_file() || ours.key.is_file());
        if !roots && !ours {
            return false;
        }
        let (now, mut state) = (Instant::now(), self.state());
        let due = state.next.is_none_or(|next| now >= next);
        if due {
            state.next = Some(now + AGE);
        }
        due
    }

    async fn read(&self) -> Result<Texts, String> {
        let mut texts = Texts::default();
        if let Trusted::Roots(pem) = &self.trusted {
            texts.roots = pem.read_again().await?;
        }
        if let Some(sources) = &self.sources {
            texts.certificate = sources.certificate.read_again().await?;
            texts.key = sources.key.read_again().await?;
        }
        Ok(texts)
    }

    /// What these texts say, if they are new and whole; else what was said before.
    fn take(&self, texts: Texts) -> Arc<Material> {
        let mut state = self.state();
        if state.texts == texts {
            return Arc::clone(&state.material);
        }
        if let Ok((trust, identity)) = ready(&self.trusted, self.sources.as_ref(), &texts)
            && client_config(&trust, identity.as_ref()).is_ok()
        {
            let generation = state.material.generation + 1;
            state.material = Arc::new(Material { trust, identity, generation });
            state.texts = texts;
        }
        Arc::clone(&state.material)
    }
}

fn ready(
    trusted: &Trusted,
    sources: Option<&Sources>,
    texts: &Texts,
) -> Result<(Trust, Option<Identity>), Unusable> {
    let trust = match trusted {
        Trusted::Machine => Trust::Machine,
        Trusted::Anybody => Trust::Anybody,
        Trusted::Roots(pem) => {
            let wrong = |what| format!("{} is no certificate: {what}", pem.name());
            Trust::Roots(authorities(&texts.roots).map_err(wrong).map_err(Unusable::Trusted)?)
        }
    };
    let identity = sources.map(|ours| {
        let wrong =
            |what| format!("{} and {} hold {what}", ours.certificate.name(), ours.key.name());
        Identity::from_pem(&texts.certificate, &texts.key).map_err(wrong).map_err(Unusable::Ours)
    });
    Ok((trust, identity.transpose()?))
}
