import { ApiError, type Refusal } from '../lib/errors.ts'

/** What licenses, installs and trials are the reason of. */
export const LICENSING_REFUSALS = {
  clone_resolved: {
    status: 400,
    says: 'The clone is resolved already.',
    help: 'Nothing is to be done; the message says what it was resolved as.',
  },
  install_uid_taken: {
    status: 400,
    says: 'The owner of the install has another one of this uid.',
    help: 'Use the install that is there, or send a uid of its own for this one.',
  },
  invalid_email: { status: 400, says: 'This is no e-mail address.', help: 'Mend the address.' },
  invalid_license_key: {
    status: 404,
    says: 'The product has no license with this key.',
    help: 'Compare the key letter by letter, and the product that it was bought for; mail the keys to the owner where it is lost.',
  },
  invalid_trial_token: {
    status: 400,
    says: 'The token of the trial is wrong, or older than 15 minutes.',
    help: 'Ask for another trial, and follow its link within 15 minutes.',
  },
  invalid_uid: {
    status: 400,
    says: 'A uid is not 32 characters of those that it may have.',
    help: 'Send 32 characters, as an MD5 in hexadecimal has; keep them with the install.',
  },
  no_support_address: {
    status: 400,
    says: 'The product has no address for support.',
    help: 'Set the address for support of the product.',
  },
  license_activated: {
    status: 400,
    says: 'A good license is active on the install already, whose id ends the message.',
    help: 'Deactivate the license that is active, or use it.',
  },
  license_cancelled: {
    status: 400,
    says: 'The license was cancelled.',
    help: 'Buy another license, or let the seller give it back.',
  },
  license_error: {
    status: 400,
    says: 'The license is not for this product, plan or place, as the message says.',
    help: 'Use a license that fits; the message says whether product, plan or place does not.',
  },
  license_expired: {
    status: 400,
    says: 'The license has expired; the message has the date and the id.',
    help: 'Renew the license, or let the seller extend it.',
  },
  license_key_taken: {
    status: 400,
    says: 'The product has a license with this key.',
    help: 'Choose another key, or leave it to the server.',
  },
  license_owned: {
    status: 400,
    says: 'The license has an owner already.',
    help: 'Change its owner by what gives a license to another user.',
  },
  license_sites_full: {
    status: 400,
    says: 'The license has as many sites on its lists as it may.',
    help: 'Take sites off the lists of the license first.',
  },
  license_utilized: {
    status: 400,
    says: 'The license is active as often as it may be; the message has the number, in what its product counts (sites, devices, seats).',
    help: 'Deactivate the license where it is no longer used, or raise its quota.',
  },
  no_license: {
    status: 400,
    says: 'The user has no license of the product.',
    help: 'Look whether the user bought with another address, or another product.',
  },
  no_trial: {
    status: 400,
    says: 'No trial runs on the install.',
    help: 'Start a trial first, or go on without.',
  },
  no_user: {
    status: 400,
    says: 'The license has no owner, or the product no user with this address.',
    help: 'Give the license an owner by activating it, or use the address that was bought with.',
  },
  plan_not_sold: {
    status: 400,
    says: 'The plan of the license is not sold any more.',
    help: 'Choose another plan; the license goes on until it ends.',
  },
  subscription_not_fitting: {
    status: 400,
    says: 'The subscription does not pay for what is on the install.',
    help: 'Name a subscription of the license and plan that are on the install.',
  },
  trial_not_available: {
    status: 400,
    says: 'The plan has no trial for this caller.',
    help: 'Buy the plan, or choose one that has a trial.',
  },
  trial_utilized: {
    status: 400,
    says: 'The install has had its trial.',
    help: 'Buy the plan; the seller can give a license for another trial.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type LicensingRefusals = typeof LICENSING_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends LicensingRefusals {}
}

/** 404 as clients read it, whose message they compare. */
export const invalidLicenseKey = () => new ApiError(404, 'invalid_license_key', 'Invalid license key.')
