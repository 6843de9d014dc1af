import type { Refusal } from '../lib/errors.ts'

/** What accounts of developers, their teams and logins are the reason of. */
export const ACCOUNTS_REFUSALS = {
  developer_email_taken: { status: 400, says: 'There is a developer with this address.' },
  invalid_credentials: { status: 401, says: 'The e-mail address or the password is wrong.' },
  invalid_password: {
    status: 400,
    says: 'The password cannot be chosen: it is too easy, or there is one already.',
    elsewhere: 'the page of an invitation',
  },
  member_email_taken: { status: 400, says: 'This person is in the team already.' },
  recaptcha_invalid: { status: 400, says: 'The reCAPTCHA token is not valid.' },
  recaptcha_unavailable: { status: 503, says: 'The server cannot ask reCAPTCHA at the moment.' },
  two_factor_invalid: {
    status: 401,
    says: 'The code of the authenticator app is wrong, too old, or was used before.',
  },
  two_factor_not_begun: { status: 400, says: 'Two-factor was not begun before it is confirmed.' },
  two_factor_off: { status: 400, says: 'Two-factor is not on.' },
  two_factor_on: { status: 400, says: 'Two-factor is on already.' },
  two_factor_required: { status: 401, says: 'The login needs a code of the authenticator app.' },
} as const satisfies Readonly<Record<string, Refusal>>

type AccountsRefusals = typeof ACCOUNTS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends AccountsRefusals {}
}
