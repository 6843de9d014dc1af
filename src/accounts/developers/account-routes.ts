import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { Arguments, Fields, Paging } from '../../http/wire.ts'
import { apiTokenOperations } from '../tokens/token-routes.ts'
import { BankAccount, BankAccountChange, BankAccountId, NewBankAccount } from './bank-account-schema.ts'
import {
  changeBankAccount,
  checkBankAccount,
  createBankAccount,
  getBankAccount,
  getBankAccounts,
} from './bank-accounts.ts'
import { Member, MemberChange, MemberId, NewMember, presentRoles, RoleRights } from '../team/member-schema.ts'
import { addMember, changeRole, getMembers, removeMember } from '../team/members.ts'

const scopes = ['account'] as const
const Page = Arguments({ ...Paging, ...Fields })

const memberOperations = [
  readOperation({
    id: 'keywright/list-members',
    summary: 'List the members of the team',
    method: 'GET',
    path: '/members.json',
    scopes,
    access: 'members.read',
    query: Page,
    status: 200,
    response: Type.Object({ members: Type.Array(Member) }),
    items: 'members',
    handle: async (ctx, { scope, query }) => ({ members: await getMembers(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/list-roles',
    summary: 'Say what each role of a team may do with each group of operations',
    method: 'GET',
    path: '/roles.json',
    scopes,
    access: 'members.read',
    status: 200,
    response: Type.Object({ roles: Type.Array(RoleRights) }),
    items: 'roles',
    handle: async () => ({ roles: presentRoles() }),
  }),
  writeOperation({
    id: 'keywright/add-member',
    summary: 'Invite a person to the team by a mail with a link, by which it accepts',
    method: 'POST',
    path: '/members.json',
    scopes,
    access: 'members.write',
    body: NewMember,
    status: 201,
    response: Member,
    emits: ['member.created'],
    refuses: ['member_email_taken'],
    handle: (ctx, { scope, body }) => addMember(ctx, scope, body),
  }),
  writeOperation({
    id: 'keywright/update-member',
    summary: 'Give a member another role, or of support the right to refund',
    method: 'PUT',
    path: '/members/{member_id}.json',
    scopes,
    access: 'members.write',
    params: MemberId,
    body: MemberChange,
    status: 200,
    response: Member,
    emits: ['member.updated'],
    handle: (ctx, { scope, params, body }) => changeRole(ctx, scope, params.member_id, body),
  }),
  writeOperation({
    id: 'keywright/remove-member',
    summary: 'Take a member out of the team',
    method: 'DELETE',
    path: '/members/{member_id}.json',
    scopes,
    access: 'members.write',
    params: MemberId,
    status: 204,
    emits: ['member.deleted'],
    handle: (ctx, { scope, params }) => removeMember(ctx, scope, params.member_id),
  }),
]

const bankAccountOperations = [
  readOperation({
    id: 'keywright/list-bank-accounts',
    summary: 'List the bank accounts, newest first',
    method: 'GET',
    path: '/bank_account.json',
    scopes,
    access: 'bank account.read',
    query: Page,
    status: 200,
    response: Type.Object({ bank_accounts: Type.Array(BankAccount) }),
    items: 'bank_accounts',
    handle: async (ctx, { scope, query }) => ({ bank_accounts: await getBankAccounts(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'keywright/create-bank-account',
    summary: 'Add a bank account',
    method: 'POST',
    path: '/bank_account.json',
    scopes,
    access: 'bank account.write',
    body: NewBankAccount,
    status: 201,
    response: BankAccount,
    emits: [],
    check: (_, { body }, problems) => checkBankAccount(body, problems),
    handle: (ctx, { scope, body }) => createBankAccount(ctx, scope, body),
  }),
  readOperation({
    id: 'developers/retrieve-bank-account',
    summary: 'Retrieve a bank account',
    method: 'GET',
    path: '/bank_account/{bank_account_id}.json',
    scopes,
    access: 'bank account.read',
    params: BankAccountId,
    query: Arguments(Fields),
    status: 200,
    response: BankAccount,
    handle: (ctx, { scope, params }) => getBankAccount(ctx, scope, params.bank_account_id),
  }),
  writeOperation({
    id: 'keywright/update-bank-account',
    summary: 'Change a bank account',
    method: 'PUT',
    path: '/bank_account/{bank_account_id}.json',
    scopes,
    access: 'bank account.write',
    params: BankAccountId,
    body: BankAccountChange,
    status: 200,
    response: BankAccount,
    emits: [],
    check: (_, { body }, problems) => checkBankAccount(body, problems),
    handle: (ctx, { scope, params, body }) => changeBankAccount(ctx, scope, params.bank_account_id, body),
  }),
]

export const accountOperations = [...memberOperations, ...bankAccountOperations, ...apiTokenOperations]
