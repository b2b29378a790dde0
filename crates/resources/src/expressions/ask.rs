//! Questions of an evaluation to the database, as a part of it.

use super::providers::PlatformProviders;
use context::request_context::RequestContext;
use database::Tx;
use expression::Result;

impl<'t> PlatformProviders<'_, 't> {
    /// Asks the database in the name of a request, as a part of the evaluation that is under way.
    pub fn ask<T>(
        &self,
        request: &RequestContext,
        question: impl FnOnce(&mut Tx<'t>, &RequestContext) -> model::error::Result<T>,
    ) -> Result<T> {
        let request = request.by_expression(self.inside.deeper()?);
        let answer = self.with_tx(|tx| question(tx, &request))?;
        // What it evaluated may lack something then.
        self.inside.go_on()?;
        Ok(answer)
    }
}
