import type { Refusal } from '../lib/errors.ts'

/** What users are the reason of. */
export const PEOPLE_REFUSALS = {
  account_verification_required: {
    status: 400,
    says: 'It is for who has proven to have the account of the user.',
    help: 'Let the user follow a link into the portal, or authorize by the key of the license.',
  },
  note_exists: { status: 400, says: 'There is a note already.', help: 'Change the note that is there.' },
  user_exist: {
    status: 400,
    says: 'There is another user with this address.',
    help: 'Use the user that is there, or another address.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type PeopleRefusals = typeof PEOPLE_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends PeopleRefusals {}
}
