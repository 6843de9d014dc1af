import { Type } from '../../lib/type.ts'
import { licenseOwners, licensesOfUser, missedKeys, parentLicenses } from './licenses-of-user.ts'
import { whiteLabel } from './update-license.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields, Id, IdText, Optional, Text, Time } from '../../http/wire.ts'
import { reviewLink } from '../reviews/review-link.ts'
import { reviewLicense } from '../reviews/write-review.ts'
import { checkPicture } from '../../catalogue/pictures/service.ts'
import { Review, ReviewFiles, UserReviewCreate } from '../../catalogue/reviews/schema.ts'
import { UserId } from '../../people/users/schema.ts'
import { ParentLicenseList, UserLicense, UserLicenseList, WholePage } from './list-schema.ts'
import { License, presentLicense } from './schema.ts'

const UserAndLicense = Type.Object({ ...UserId.properties, license_id: Id('ID of the license.') })
const withUser = ['product', 'developer', 'store', 'user'] as const

/** What stands under a user. */
export const userLicenseOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'users/list-licenses',
    summary: 'List the licenses of a user, newest first',
    method: 'GET',
    path: '/users/{user_id}/licenses.json',
    scopes: withUser,
    access: 'licenses.read',
    params: UserId,
    query: UserLicenseList,
    status: 200,
    response: Type.Object({ licenses: Type.Array(UserLicense) }),
    items: 'licenses',
    missesOf: ({ scope, query }, ctx) => missedKeys(ctx, scope, query),
    handle: async (ctx, { scope, params, query }) => ({
      licenses: await licensesOfUser(ctx, scope, params.user_id, query),
    }),
  }),
  readOperation({
    id: 'keywright/list-parent-licenses',
    summary: 'List the licenses of bundles that open the product to a user',
    method: 'GET',
    path: '/users/{user_id}/parent_licenses.json',
    scopes: ['user'],
    access: 'licenses.read',
    params: UserId,
    query: ParentLicenseList,
    status: 200,
    response: Type.Object({ licenses: Type.Array(UserLicense) }),
    items: 'licenses',
    handle: async (ctx, { scope, params, query }) => ({
      licenses: await parentLicenses(ctx, scope, params.user_id, query),
    }),
  }),
  readOperation({
    id: 'keywright/list-license-owners',
    summary: 'List who owns the licenses on the installs of a user',
    method: 'GET',
    path: '/users/{user_id}/licenses_owners.json',
    scopes: ['user'],
    access: 'licenses.read',
    params: UserId,
    query: Arguments({
      install_ids: Optional(Text({ max: 2000, format: 'ids', description: 'Only on these installs.' })),
      ...WholePage,
    }),
    status: 200,
    response: Type.Object({ owners: Type.Array(Type.Object({ id: IdText(), email: Type.String() })) }),
    items: 'owners',
    handle: async (ctx, { scope, params, query }) => ({
      owners: await licenseOwners(ctx, scope, params.user_id, query),
    }),
  }),
  writeOperation({
    id: 'keywright/white-label-license',
    summary: "Say whether clients hide what tells of the seller, on one's own license",
    method: 'PUT',
    path: '/users/{user_id}/licenses/{license_id}.json',
    scopes: ['user'],
    access: 'licenses.write',
    params: UserAndLicense,
    query: Arguments(Fields),
    body: Arguments({ is_whitelabeled: Type.Boolean() }),
    status: 200,
    response: License,
    emits: ['license.updated'],
    refuses: ['account_verification_required'],
    handle: async (ctx, { scope, params, body }) =>
      presentLicense(await whiteLabel(ctx, scope, params.license_id, body), ctx.keys),
  }),
  readOperation({
    id: 'licenses/get-review-url',
    summary: 'Retrieve the address of a page on which the owner of a license reviews the product',
    method: 'GET',
    path: '/users/{user_id}/licenses/{license_id}/review_url.json',
    scopes: withUser,
    access: 'licenses.write',
    params: UserAndLicense,
    status: 200,
    response: Type.Object({ url: Type.String(), expires: Time() }),
    refuses: ['account_verification_required'],
    handle: (ctx, { scope, params }) => reviewLink(ctx, scope, params),
  }),
  writeOperation({
    id: 'licenses/create-review',
    summary: 'Write a review under a license',
    method: 'POST',
    path: '/users/{user_id}/licenses/{license_id}/reviews.json',
    scopes: withUser,
    access: 'licenses.write',
    params: UserAndLicense,
    query: Arguments(Fields),
    body: UserReviewCreate,
    files: ReviewFiles,
    status: 201,
    response: Review,
    emits: ['review.created'],
    refuses: ['account_verification_required', 'license_review_taken'],
    check: async (_, { files }, problems) => checkPicture('picture', files['picture'], problems),
    handle: (ctx, { scope, params, body, files }) => reviewLicense(ctx, scope, params, { body, files }),
  }),
]
