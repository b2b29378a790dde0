//! Proofs of work, which creating without a key may want (E-112): a challenge is asked for, a number is searched that
//! goes with it, and each challenge serves once.

use base64ct::{Base64UrlUnpadded, Encoding};
use context::request_context::RequestContext;
use context::throttle::{self, AttemptLimit};
use context::vault::KeyPurpose;
use database::Tx;
use jiff::Timestamp;
use model::error::{Error, Result};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The time for which a challenge stands. Its use is remembered for as long.
const USE: AttemptLimit = AttemptLimit { kind: "proof", tries: 1, seconds: 600 };
/// Bytes of a challenge: randomness, its end, its difficulty.
const PLAIN: usize = 16 + 8 + 1;
/// Bytes of a challenge with its code.
const LENGTH: usize = PLAIN + 32;

/// A challenge as a client gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofChallenge {
    /// The text that the proof begins with.
    pub text: String,
    /// The leading zero bits that SHA-256 of the proof must have.
    pub difficulty: u8,
    /// The end of its time.
    pub expires: Timestamp,
}

/// Makes a challenge; none where the tenant wants no proof.
pub fn challenge(context: &RequestContext) -> Result<Option<ProofChallenge>> {
    let Some(difficulty) = difficulty(context) else { return Ok(None) };
    let end = context.now.as_millisecond() + i64::from(USE.seconds) * 1_000;
    let mut bytes = [0; LENGTH];
    context.random.fill(&mut bytes[..16]);
    bytes[16..24].copy_from_slice(&end.to_be_bytes());
    bytes[24] = difficulty;
    let code = context.vault()?.mac(KeyPurpose::Proof, &[&bytes[..PLAIN]]);
    bytes[PLAIN..].copy_from_slice(&code);
    let expires = Timestamp::from_millisecond(end).map_err(|_| Error::failed("a challenge beyond all time"))?;
    Ok(Some(ProofChallenge { text: Base64UrlUnpadded::encode_string(&bytes), difficulty, expires }))
}

/// Takes the proof of a caller without a key, who creates something, in the transaction that creates it.
pub fn take(tx: &mut Tx<'_>, context: &RequestContext, proof: Option<&str>) -> Result<()> {
    let Some(difficulty) = difficulty(context).filter(|_| context.actor.is_public()) else { return Ok(()) };
    let message = "Creating without a key takes a proof of work in the header Plinth-Proof: \
                   GET /api/ext/v1/challenge gives its challenge.";
    let proof = proof.ok_or_else(|| Error::forbidden("proof_missing", message))?;
    let challenge = holds(context, proof, difficulty)?.ok_or_else(invalid)?;
    match throttle::take(tx, &[USE.of(challenge)], context.now)? {
        None => Ok(()),
        Some(_) => Err(invalid()),
    }
}

fn difficulty(context: &RequestContext) -> Option<u8> {
    context.model.settings.public.as_ref().and_then(|public| public.difficulty)
}

fn invalid() -> Error {
    let message = "The proof of work is wrong, expired or used. GET /api/ext/v1/challenge gives a new challenge.";
    Error::forbidden("proof_invalid", message)
}

/// Returns the challenge of a proof that holds now.
fn holds<'p>(context: &RequestContext, proof: &'p str, difficulty: u8) -> Result<Option<&'p str>> {
    let Some((challenge, number)) = proof.split_once('.') else { return Ok(None) };
    // A challenge serves once, whatever its number: how that is spelled makes no difference.
    if number.parse::<u64>().is_err() {
        return Ok(None);
    }
    let mut buffer = [0; LENGTH];
    let decoded = Base64UrlUnpadded::decode(challenge, &mut buffer).ok().filter(|bytes| bytes.len() == LENGTH);
    let Some(bytes) = decoded else { return Ok(None) };
    let (plain, code) = bytes.split_at(PLAIN);
    let codes = context.vault()?.macs(KeyPurpose::Proof, &[plain]);
    let is_ours = codes.iter().any(|own| bool::from(own[..].ct_eq(code)));
    let end = plain[16..24].iter().fold(0, |end, byte| end << 8 | i64::from(*byte));
    let stands = is_ours && end >= context.now.as_millisecond() && plain[24] == difficulty;
    Ok((stands && zero_bits(&Sha256::digest(proof)) >= u32::from(difficulty)).then_some(challenge))
}

/// The number of zero bits that bytes begin with.
fn zero_bits(bytes: &[u8]) -> u32 {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let rest = bytes.get(zeros).map_or(0, |byte| byte.leading_zeros());
    u32::try_from(zeros).unwrap_or(u32::MAX) * 8 + rest
}

#[cfg(test)]
mod tests {
    use super::zero_bits;

    #[test]
    fn counts_leading_zero_bits() {
        for (bytes, expected) in
            [(&[0xff][..], 0), (&[0x7f], 1), (&[0, 0x10], 11), (&[0, 0], 16), (&[1, 0], 7), (&[], 0)]
        {
            assert_eq!(zero_bits(bytes), expected, "{bytes:?}");
        }
    }
}
