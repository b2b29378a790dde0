//! The state that all requests of a process share.

use crate::description::ApiDocuments;
use crate::pages::templates::Pages;
use monitoring::{Monitor, RequestLog};
use platform::tenants::Platform;
use settings::Settings;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The state that all requests of a process share.
pub struct App {
    /// The settings that hold.
    pub settings: Settings,
    /// The tenants.
    pub platform: Arc<Platform>,
    pub(crate) pages: Pages,
    pub(crate) documents: ApiDocuments,
    pub(crate) draining: AtomicBool,
    /// The view of operators.
    pub monitor: Monitor,
    pub(crate) request_log: RequestLog,
}

impl App {
    /// An application that is ready to serve the platform's tenants.
    pub fn new(settings: Settings, platform: Arc<Platform>) -> Self {
        App {
            monitor: Monitor::new(platform.environment().clock.now()),
            request_log: RequestLog::new(&settings.log),
            settings,
            platform,
            pages: Pages::new(),
            documents: ApiDocuments::new(),
            draining: AtomicBool::new(false),
        }
    }
}
