import type { Refusal } from '../lib/errors.ts'

/** What versions and their archives are the reason of. */
export const DEPLOYMENTS_REFUSALS = {
  invalid_archive: {
    status: 400,
    says: 'The file is no archive of a version that can be released.',
    help: 'Mend the archive as the message says, and upload it again.',
  },
  not_applicable: {
    status: 400,
    says: 'Widgets and templates are released to everybody at once.',
    help: 'Release the version without a percentage or a limit.',
  },
  tag_version_taken: {
    status: 400,
    says: 'The product has this version already.',
    help: 'Raise the version in the code, and upload that.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type DeploymentsRefusals = typeof DEPLOYMENTS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends DeploymentsRefusals {}
}
