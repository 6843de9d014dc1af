import type { LicenseFilePayload } from '../../src/licensing/license-files/license-file.ts'

/** What a file says, read as it stands there. */
export function payloadIn(text: string): LicenseFilePayload {
  const { payload } = JSON.parse(Buffer.from(bodyOf(text), 'base64').toString()) as { payload: string }
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as LicenseFilePayload
}

const bodyOf = (text: string) => text.split('\n').slice(1, -2).join('')

/** The file with one character of what it says changed, which is still written as a file is. */
export function changed(text: string): string {
  const envelope = Buffer.from(bodyOf(text), 'base64').toString()
  const at = envelope.indexOf('"payload":"') + 60
  const other = envelope[at] === 'A' ? 'B' : 'A'
  const lines = Buffer.from(envelope.slice(0, at) + other + envelope.slice(at + 1)).toString('base64')
  const [first = '', ...rest] = text.split('\n')
  return [first, ...(lines.match(/.{1,64}/g) ?? []), ...rest.slice(-2)].join('\n')
}
