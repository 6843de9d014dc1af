import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { requireAccess } from '../../http/roles.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { goOn } from '../../lib/soon.ts'
import { checkWayBack } from '../proof/change-email.ts'
import { getBilling, updateBilling } from './billing.ts'
import { Billing, BillingUpdate } from './billing-schema.ts'
import { checkUserCreate, createUser, hashOf } from './create.ts'
import { shownUser } from './keys.ts'
import {
  AccountUserList,
  UserOfProduct,
  SALES_FILTERS,
  User,
  UserCreate,
  UserId,
  UserList,
  UserUpdate,
} from './schema.ts'
import { checkNames, getUser, getUsers, updateUser, usersOfAccount, totalOfUsers } from './service.ts'

const scopes = ['product', 'developer', 'store'] as const
const withUser = [...scopes, 'user'] as const

export const userOperations = [
  readOperation({
    id: 'users/list',
    summary: 'List the users of a product, newest first',
    method: 'GET',
    path: '/users.json',
    scopes,
    access: 'customers.read',
    query: UserList,
    status: 200,
    response: Type.Object({ users: Type.Array(User) }),
    items: 'users',
    total: (ctx, { scope, query }) => totalOfUsers(ctx, scope, query),
    async handle(ctx, { scope, query }) {
      if (SALES_FILTERS.includes(query.filter)) requireAccess(scope, 'sales.read')
      return { users: await getUsers(ctx, scope, query) }
    },
  }),
  readOperation({
    id: 'keywright/list-account-users',
    summary: 'List the users of all products of an account, newest first',
    method: 'GET',
    path: '/users.json',
    scopes: ['account'],
    access: 'customers.read',
    isForNarrowed: true,
    query: AccountUserList,
    status: 200,
    response: Type.Object({ users: Type.Array(UserOfProduct) }),
    items: 'users',
    async handle(ctx, { scope, query }) {
      if (SALES_FILTERS.includes(query.filter)) requireAccess(scope, 'sales.read')
      return { users: await usersOfAccount(ctx, scope, query) }
    },
  }),
  writeOperation({
    id: 'users/create',
    summary: 'Create a user, or link a known person to the product',
    method: 'POST',
    path: '/users.json',
    scopes,
    access: 'customers.write',
    query: Arguments(Fields),
    body: UserCreate,
    status: 200,
    response: User,
    emits: ['user.created'],
    check: (ctx, { scope, body }, problems) => checkUserCreate(ctx, scope, body, problems),
    prepare: (ctx, { body }) => hashOf(ctx, body),
    handle: (ctx, { scope, body }, passwordHash) => createUser(ctx, scope, body, passwordHash),
  }),
  readOperation({
    id: 'users/retrieve',
    summary: 'Retrieve a user',
    method: 'GET',
    path: '/users/{user_id}.json',
    scopes: [...withUser, 'install'],
    access: 'customers.read',
    params: UserId,
    query: Arguments(Fields),
    status: 200,
    response: User,
    handle: (ctx, { scope, params }) =>
      goOn(getUser(ctx, scope, params.user_id), (user) => shownUser(ctx, scope, user)),
  }),
  writeOperation({
    id: 'users/update',
    summary: 'Update a user',
    method: 'PUT',
    path: '/users/{user_id}.json',
    scopes: withUser,
    access: 'customers.write',
    portal: ['profile'],
    params: UserId,
    query: Arguments(Fields),
    body: UserUpdate,
    status: 200,
    response: User,
    emits: [
      'user.name.changed',
      'user.marketing.opted_in',
      'user.marketing.opted_out',
      'user.marketing.reset',
      'user.beta_program.opted_in',
      'user.beta_program.opted_out',
    ],
    refuses: ['account_verification_required', 'user_exist'],
    check: async (ctx, { scope, params, body }, problems) => {
      await checkNames(body, problems)
      const wayBack = { userId: params.user_id, url: body.after_email_confirm_url }
      await checkWayBack(ctx, scope, wayBack, problems)
    },
    handle: (ctx, { scope, params, body }) => updateUser(ctx, scope, params.user_id, body),
  }),
  readOperation({
    id: 'users/retrieve-billing',
    summary: 'Retrieve the billing address of a user',
    method: 'GET',
    path: '/users/{user_id}/billing.json',
    scopes: withUser,
    access: 'customers.read',
    params: UserId,
    query: Arguments(Fields),
    status: 200,
    response: Billing,
    handle: (ctx, { scope, params }) => getBilling(ctx, scope, params.user_id),
  }),
  writeOperation({
    id: 'users/update-or-create-billing',
    summary: 'Write the billing address of a user',
    method: 'PUT',
    path: '/users/{user_id}/billing.json',
    scopes: withUser,
    access: 'customers.write',
    portal: ['billing_details'],
    params: UserId,
    body: BillingUpdate,
    status: 200,
    response: Billing,
    emits: ['user.billing.updated', 'user.billing.tax_id.updated'],
    handle: (ctx, { scope, params, body }) => updateBilling(ctx, scope, params.user_id, body),
  }),
]
