import type { Refusal } from '../lib/errors.ts'

/** What accounts of developers, their teams and logins are the reason of. */
export const ACCOUNTS_REFUSALS = {
  developer_email_taken: {
    status: 400,
    says: 'There is a developer with this address.',
    help: 'Use another address, or let who has this one log in.',
  },
  invalid_credentials: {
    status: 401,
    says: 'The e-mail address or the password is wrong.',
    help: 'Mend the address or the password; a forgotten one is replaced by a link from the login page.',
  },
  invalid_password: {
    status: 400,
    says: 'The password cannot be chosen: it is too easy, or there is one already.',
    help: 'Choose a longer one that is not among those that are known; who has one already logs in.',
    elsewhere: 'the page of an invitation',
  },
  member_email_taken: {
    status: 400,
    says: 'This person is in the team already.',
    help: 'Change the role of the member that is there.',
  },
  recaptcha_invalid: {
    status: 400,
    says: 'The reCAPTCHA token is not valid.',
    help: 'Let the buyer solve the reCAPTCHA again and send its token at once.',
  },
  recaptcha_unavailable: {
    status: 503,
    says: 'The server cannot ask reCAPTCHA at the moment.',
    help: 'Try again after what Retry-After says.',
  },
  two_factor_invalid: {
    status: 401,
    says: 'The code of the authenticator app is wrong, too old, or was used before.',
    help: 'Send the code that the app shows now, or a backup code that was not used; compare the clock of the device.',
  },
  two_factor_not_begun: {
    status: 400,
    says: 'Two-factor was not begun before it is confirmed.',
    help: 'Begin two-factor first, and confirm it with the secret that this answers.',
  },
  two_factor_off: {
    status: 400,
    says: 'Two-factor is not on.',
    help: 'Nothing is to be done; turn two-factor on before it is changed.',
  },
  two_factor_on: {
    status: 400,
    says: 'Two-factor is on already.',
    help: 'Turn two-factor off first, if it is to be set up anew.',
  },
  two_factor_required: {
    status: 401,
    says: 'The login needs a code of the authenticator app.',
    help: 'Ask for the code, and send the login again with it.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type AccountsRefusals = typeof ACCOUNTS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends AccountsRefusals {}
}
