import { by, inInfo, inLicenses, inPricing, inReviews, type Effect } from './effect.ts'

/** Effects of fields that clients only show. */
const each = (entity: string, names: readonly string[], effect: (name: string) => Effect) =>
  Object.fromEntries(names.map((name) => [`${entity} ${name}`, effect(name)]))

const ofFeature = (name: string) =>
  inPricing(`plans.0.features.0.${name}`, 'is shown in the pricing table, in each plan with the feature')
const ofInfo = (name: string) => inInfo(name, 'is shown by markets of add-ons')
const ofReview = (name: string) => inReviews(`reviews.0.${name}`, 'is shown with the review')

const reviews = (title: string) => by('src/catalogue/reviews/reviews.test.ts', title)
const updates = by(
  'src/deployments/downloads/updates.test.ts',
  'an incremental version is not skipped, and what is suspended is offered to nobody',
)
const staged = by(
  'src/deployments/downloads/staged.test.ts',
  'a release to 10 % of 1,000 licensed is offered to 100 users and never more',
)
const ofLicense = (title: string) => by('src/licensing/licenses/update.test.ts', title)
const refused = (title: string) => by('src/licensing/licenses/refusals.test.ts', title)
const renews = (title: string) => by('src/sales/subscriptions/of-licenses.test.ts', title)
const sender = (title: string) => by('src/mail/sender.test.ts', title)

const named = sender("a confirmation comes from the product's address, and says that this server sends it")
const general = sender('without an address for mail that wants no answer it is the general one')
const inherited = sender('what the product does not say it inherits from its store, column by column')

const ownText = (title: string) => by('src/catalogue/mails/own-texts.test.ts', title)
const MAILED = 'an own text is what is mailed from then on, in its language and about its product alone'
const STANDS = 'what a mail must say stands below its own text'

/** Who reads answers, by a mail of each kind (`src/mail/answers.test.ts`). */
const ANSWERED = {
  personal: 'cart_recovery.1',
  personal_technical: 'license_keys',
  personal_setup: 'license',
  support: 'receipt',
}
const helpers = (entity: string) =>
  Object.fromEntries(
    Object.entries(ANSWERED).flatMap(([helper, mail]) => {
      const shown = by('src/mail/answers.test.ts', `answers to ${mail} go to ${helper} of the product`)
      return [
        [`${entity} ${helper}`, shown(`is where answers to ${mail} and its like go`)],
        [`${entity} ${helper}_name`, shown('is the name of who is answered')],
      ]
    }),
  )

/** What a seller says of parts of a product, of licenses, and of who mails and listens. */
export const OTHERS: Readonly<Record<string, Effect>> = {
  ...each('feature', ['title', 'description', 'is_featured'], ofFeature),
  'feature of plan value': ofFeature('value'),
  ...each(
    'info',
    [
      'url',
      'description',
      'short_description',
      'banner_url',
      'card_banner_url',
      'selling_point_0',
      'selling_point_1',
      'selling_point_2',
      'screenshots',
    ],
    ofInfo,
  ),
  ...each(
    'review',
    ['title', 'text', 'name', 'job_title', 'company', 'company_url', 'profile_url', 'rate', 'external_id'],
    ofReview,
  ),
  'order of plans ids': by(
    'src/catalogue/plans/plan-order.test.ts',
    'plans stand in the order that is written, the default one first, in the pricing table too',
  )('is the order in which plans are listed and offered'),
  'bundle members': by(
    'src/licensing/licenses/bundle.test.ts',
    "a bundle's license on an install of a member issues one of the member and activates it",
  )('are the products that a license of the bundle opens'),
  'review is_active': reviews('with the public key alone only shown reviews are seen, featured ones first')(
    'says whether strangers see it',
  ),
  'review is_featured': reviews(
    'a featured review that the seller wrote down stands in pricing.json; one it hides or does not feature does not',
  )('puts it on pricing pages'),
  'review is_verified': reviews(
    'the seller says whether a review is verified and what it was called elsewhere; the summary heeds it',
  )('counts it in the summary of verified ones'),
  ...helpers('addresses of store'),
  'addresses of store general': general('is where mail comes from where there is no other address'),
  'addresses of store general_name': general('is the name of that sender'),
  'addresses of store dont_reply': inherited('is where mail comes from'),
  'addresses of store dont_reply_name': inherited('is the name of that sender'),
  ...helpers('addresses of product'),
  'addresses of product store_id': sender(
    'a product inherits from the store that its addresses name with store_id',
  )('is the store from which the rest is inherited'),
  'addresses of product general': sender(
    'a name with commas, quotes and other letters is one name, and adds no address',
  )('is where mail comes from where there is no other address'),
  'addresses of product general_name': sender(
    'a name with commas, quotes and other letters is one name, and adds no address',
  )('is the name of that sender'),
  'addresses of product dont_reply': named('is where mail of the product comes from'),
  'addresses of product dont_reply_name': named('is the name of that sender'),
  'version release_mode': updates('says who is offered it'),
  'version is_incremental': updates('is offered before any later one'),
  'version limit': staged('is how many users are offered it'),
  'version percentage_limit': staged('is the same as a share of those with a license'),
  'version is_sandbox': by(
    'src/deployments/downloads/updates-sandbox.test.ts',
    'a license of the sandbox gets the premium build of what is released to the sandbox alone',
  )('offers it to licenses of the sandbox'),
  'license quota': refused('a used up license is license_utilized, naming the quota')(
    'is how many places it has',
  ),
  'license expiration': refused(
    'an expired license is license_expired, naming when and which; at the second itself and not before',
  )('is when it ends'),
  'license is_block_features': inLicenses(
    'licenses.0.is_block_features',
    'tells clients whether features end with it',
  ),
  'license is_whitelabeled': inLicenses(
    'licenses.0.is_whitelabeled',
    'tells clients to hide what tells of the seller',
  ),
  'license is_free_localhost': by(
    'src/licensing/licenses/counting.test.ts',
    'local hosts take places where they are not free',
  )('says whether local hosts take places'),
  'license new_user_id': ofLicense(
    'the owner changes to a user of the product or to nobody, and to nobody else',
  )('gives it to somebody else'),
  'license cancel_subscription': renews('a cancelled license, one that never ends')(
    'ends its subscription too',
  ),
  'license extend_bundle': by(
    'src/licensing/licenses/bundle.test.ts',
    'extend_bundle gives the bundle',
  )('moves the end of its bundle too'),
  'license update_subscription_renewal_date': renews('the renewal moves with the end')('moves the renewal'),
  'listener url': by(
    'src/events/delivery/deliver-events-job.test.ts',
    'a listener is sent what the log answers, signed with the key of the product and with its own secret',
  )('is where events are posted to'),
  'listener types': by(
    'src/events/delivery/deliver-events-job.test.ts',
    'a listener with a list of types gets those alone; an event that nobody wants is canceled when it happens',
  )('says of which events it is told'),
  'listener is_active': by(
    'src/events/delivery/deliver-events-job.test.ts',
    'a listener that the seller switches off is told nothing, and on again of what happens from then on',
  )('says whether it is told of anything'),
  'mail text subject': ownText(MAILED)('is the subject of the mail, in the place of the built-in one'),
  'mail text body': ownText(STANDS)('is what the mail says before its details'),
  'mail text language': ownText(MAILED)('says who is mailed it: those who read that language'),
  'mail text button': ownText(STANDS)('is the word of its button'),
  'mail text closing': ownText(STANDS)('stands at its end'),
  'member role': by('src/http/roles.test.ts', 'a change of the role holds at once')('says what it may do'),
  'member can_refund': by(
    'src/http/roles.test.ts',
    'support refunds where it was given the right, by session and by token, until it is taken back',
  )('lets support give payments back'),
}
