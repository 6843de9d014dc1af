import { opened, standing, type Forms } from './forms.ts'

const SAVES = { act: 'Save changes' } as const

/** Forms about what is sold. */
export const FORMS_OF_CATALOGUE: Forms = {
  'pages/coupons/Coupons.tsx texts.createCoupon': [opened('coupons', 'Create a coupon')],
  'pages/coupons/Coupon.tsx texts.changeCoupon': [opened('coupons/1', 'Change', SAVES)],
  'pages/reviews/Reviews.tsx texts.writeReview': [opened('reviews', 'Write down a review')],
  'pages/reviews/Review.tsx texts.changeReview': [opened('reviews/1', 'Change', SAVES)],
  'pages/versions/UploadVersion.tsx texts.uploadVersion': [
    opened('versions', 'Upload a version', { file: { name: 'aurora.zip', text: 'no archive' } }),
  ],
  'pages/versions/ReleaseVersion.tsx fill(texts.releaseTitle, { version: version.version })': [
    opened('versions/5', 'Release', { given: { reach: 'all' }, unshown: 'limit' }),
    opened('versions/5', 'Release', { given: { reach: 'percentage_limit' } }),
  ],
}

/** Forms about plans, prices and what plans give. */
export const FORMS_OF_PLANS: Forms = {
  'pages/plans/EditPlan.tsx texts.createPlan': [opened('plans', 'Create a plan')],
  'pages/plans/EditPlan.tsx fill(texts.addPriceOf, { plan: plan.title })': [
    opened('plans', 'Add a price: Professional', { act: 'Add a price' }),
  ],
  'pages/plans/EditPlan.tsx texts.copyPrices': [
    opened('plans', 'Copy into another currency: Professional', { act: 'Copy into another currency' }),
  ],
  'pages/plans/EditPlan.tsx texts.changePlan': [opened('plans', 'Change plan: Professional', SAVES)],
  'pages/plans/Prices.tsx texts.changePrice': [opened('plans', 'Change price: 1 site, USD', SAVES)],
  'pages/plans/Features.tsx words.add': [opened('plans', 'Add a feature')],
  'pages/plans/Features.tsx words.change': [opened('plans', 'Change feature: Payments', SAVES)],
}

/** Forms about a product as a whole, and its webhooks. */
export const FORMS_OF_SETTINGS: Forms = {
  'pages/products/ProductSettings.tsx productTexts.productSales': [standing('settings', 'Selling')],
  'pages/products/ProductSettings.tsx productTexts.info': [standing('settings', 'Shown to the public')],
  'pages/products/ProductSettings.tsx title': [
    standing('settings', 'At the checkout'),
    standing('settings', 'Pages and links'),
    standing('settings', 'Where buyers may be led'),
    standing('settings', 'What is counted'),
    standing('settings', 'People'),
    standing('settings', 'State and versions'),
    standing('settings', 'Renewals'),
    standing('settings', 'Arrears'),
  ],
  'pages/products/PortalSettings.tsx texts.may': [standing('settings', 'What customers may do')],
  'pages/products/PortalSettings.tsx texts.words': [standing('settings', 'Words in the portal')],
  'pages/products/PortalSettings.tsx texts.frame': [standing('settings', 'Pages that may hold the portal')],
  'pages/keys/ShowKey.tsx words.showKey': [opened('settings', 'Show secret key')],
  'pages/keys/ReplaceKey.tsx words.replace': [opened('settings', 'Replace secret key')],
  'pages/mails/Editor.tsx form': [standing('mail-texts/receipt')],
  'pages/webhooks/AddWebhook.tsx texts.addWebhook': [opened('webhooks', 'Add a webhook')],
  'pages/webhooks/Again.tsx words.again': [opened('webhooks/1', 'Send events again')],
  'pages/webhooks/Rotate.tsx texts.rotateSecret': [opened('webhooks/1', 'Make another secret')],
}

/** Forms about who has bought, and what. */
export const FORMS_OF_CUSTOMERS: Forms = {
  'pages/customers/AddCustomer.tsx texts.addCustomer': [opened('customers', 'Add a customer')],
  'pages/customers/PersonData.tsx texts.erasePerson': [
    opened('customers/1', 'Erase this customer', { isQuestion: true }),
  ],
  'pages/payments/RefundPayment.tsx texts.refundTitle': [
    opened('payments/1', 'Refund', { act: /^Refund \$/ }),
  ],
  'lists/BulkDialog.tsx title': [
    opened('licenses', 'Change all that match', { act: 'Show what would happen' }),
    opened('licenses', 'Change all that match', {
      chosen: { What: 'Mail the key again' },
      unshown: 'arguments',
      act: 'Show what would happen',
    }),
  ],
  'lists/ExportDialog.tsx title': [opened('licenses', 'Export')],
}

/** Forms about licenses. */
export const FORMS_OF_LICENSES: Forms = {
  'pages/licenses/IssueLicense.tsx texts.issueLicense': [
    opened('licenses', 'Issue a license', { act: 'Issue license' }),
    opened('customers/1', 'Issue a license', { act: 'Issue license', unshown: 'email' }),
  ],
  'pages/licenses/IssueMany.tsx texts.issueMany': [
    opened('licenses', 'Issue from a file', {
      act: 'Issue 1 licenses',
      file: { name: 'licenses.csv', text: 'email\nada@example.com\n' },
      isOfRows: true,
    }),
  ],
  'pages/licenses/ChangeLicense.tsx fill(texts.changeTitle, { id: license.id })': [
    opened('licenses/1', 'Change', { ...SAVES, given: { email: 'lukas.brueckner@example.com' } }),
  ],
  'pages/licenses/ChangePlan.tsx fill(words.title, { id: license.id })': [
    opened('licenses/1', 'Change plan', {
      chosen: { 'Plan and number of sites': 'Professional, 1 site (USD)' },
    }),
  ],
  'pages/licenses/OfflineFile.tsx texts.offlineFile': [
    opened('licenses/1', 'Offline file', { act: 'Make and download the file' }),
  ],
  'pages/licenses/ReplaceLicenseKey.tsx texts.replaceLicenseKey': [
    opened('licenses/1', 'Replace the key', { isQuestion: true }),
  ],
  'pages/licenses/SiteLists.tsx texts.addSite': [opened('licenses/1', 'Add an address')],
  'pages/licenses/TryActivation.tsx texts.tryActivation': [
    opened('licenses/6', 'Try an activation', { act: 'Activate' }),
  ],
}
