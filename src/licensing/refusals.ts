import { ApiError, type Refusal } from '../lib/errors.ts'

/** What licenses, installs and trials are the reason of. */
export const LICENSING_REFUSALS = {
  clone_resolved: { status: 400, says: 'The clone is resolved already.' },
  install_uid_taken: { status: 400, says: 'The owner of the install has another one of this uid.' },
  invalid_email: { status: 400, says: 'This is no e-mail address.' },
  invalid_license_key: { status: 404, says: 'The product has no license with this key.' },
  invalid_trial_token: { status: 400, says: 'The token of the trial is wrong, or older than 15 minutes.' },
  invalid_uid: { status: 400, says: 'A uid is not 32 characters of those that it may have.' },
  no_support_address: { status: 400, says: 'The product has no address for support.' },
  license_activated: {
    status: 400,
    says: 'A good license is active on the install already, whose id ends the message.',
  },
  license_cancelled: { status: 400, says: 'The license was cancelled.' },
  license_error: {
    status: 400,
    says: 'The license is not for this product, plan or site, as the message says.',
  },
  license_expired: { status: 400, says: 'The license has expired; the message has the date and the id.' },
  license_key_taken: { status: 400, says: 'The product has a license with this key.' },
  license_owned: { status: 400, says: 'The license has an owner already.' },
  license_sites_full: { status: 400, says: 'The license has as many sites on its lists as it may.' },
  license_utilized: {
    status: 400,
    says: 'The license is activated on as many production sites as it may; the message has the number.',
  },
  no_license: { status: 400, says: 'The user has no license of the product.' },
  no_trial: { status: 400, says: 'No trial runs on the install.' },
  no_user: { status: 400, says: 'The license has no owner, or the product no user with this address.' },
  plan_not_sold: { status: 400, says: 'The plan of the license is not sold any more.' },
  subscription_not_fitting: {
    status: 400,
    says: 'The subscription does not pay for what is on the install.',
  },
  trial_not_available: { status: 400, says: 'The plan has no trial for this caller.' },
  trial_utilized: { status: 400, says: 'The install has had its trial.' },
} as const satisfies Readonly<Record<string, Refusal>>

type LicensingRefusals = typeof LICENSING_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends LicensingRefusals {}
}

/** 404 as clients read it, whose message they compare. */
export const invalidLicenseKey = () => new ApiError(404, 'invalid_license_key', 'Invalid license key.')
