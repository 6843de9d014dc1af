import type * as OtpAuth from 'otpauth'
import { lazy } from '../../lib/lazy.ts'

const otpauth = lazy<typeof OtpAuth>('otpauth')

const ISSUER = 'Keywright'
/** One step of 30 seconds before and after, for clocks that differ (`docs/decisions.md` 3.9). */
const DRIFT_STEPS = 1
/** 120 random bits are 24 characters of base32. */
const BACKUP_CODE_BYTES = 15

/** A new secret for an authenticator app, and the address that a QR code hands to it. */
export function newTotp(label: string): { readonly secret: string; readonly url: string } {
  const { Secret, TOTP } = otpauth()
  const totp = new TOTP({ issuer: ISSUER, label, secret: new Secret() })
  return { secret: totp.secret.base32, url: totp.toString() }
}

/** The time step whose code this is, at most one from now (milliseconds); null when it is none of them. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  const digits = code.replaceAll(' ', '')
  if (!/^[0-9]{6}$/.test(digits)) return null
  const { Secret, TOTP } = otpauth()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: digits, timestamp: nowMs, window: DRIFT_STEPS })
  return delta === null ? null : TOTP.counter({ timestamp: nowMs }) + delta
}

/** A code for whoever lost the app: 24 characters, A–Z and 2–7. */
export const newBackupCode = (): string => new (otpauth().Secret)({ size: BACKUP_CODE_BYTES }).base32

/** A backup code as it may be typed, with spaces, hyphens or small letters → as it was given out. */
export const asGivenOut = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase()
