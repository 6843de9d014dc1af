import type { EventTrigger } from '../db/tables/event-types.ts'
import { invalid, type ApiError } from '../lib/errors.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { OwnReach } from '../db/tables/reach.ts'
import type { PortalPart } from './portal-parts.ts'
import { isBelowAccount, notAllowed } from './rights.ts'
import type { Access, Role } from './roles.ts'

/**
 * Whose side a path is on. `account` is a developer's account, `store_account` a store, without a
 * product; `root` has no owner.
 */
export const SCOPE_KINDS = [
  'product',
  'developer',
  'store',
  'user',
  'install',
  'account',
  'store_account',
  'root',
] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]

/** The scopes in which a product's operations stand, listed or refused (`docs/decisions.md` 1.10). */
export const PRODUCT_KINDS = [
  'product',
  'developer',
  'store',
  'user',
  'install',
] as const satisfies ScopeKind[]

/** Who calls. `public` holds only a public key, which proves nothing; `anonymous` nothing at all. */
export interface Actor {
  readonly kind:
    'token' | 'developer' | 'store' | 'product' | 'user' | 'install' | 'public' | 'anonymous' | 'system'
  readonly id: number
  /** Names the credential, never its value: `token:7`, `FS:product:3`. */
  readonly credential: string
  /** Of the pair that signed, which tells it from others of the same entity; of the install whose token it is. */
  readonly publicKey?: string
  /** Set when a person of the account acts, its owner or a member; keys of the account may do everything. */
  readonly role?: Role
  /** Whether that person was given the right to refund beside its role. */
  readonly canRefund?: boolean
  /** Set for a token that was narrowed to some rights; without it, and without a role, everything may be done. */
  readonly rights?: readonly Access[]
  /** Set for a token of an account that was narrowed to some of its products. */
  readonly productIds?: readonly number[]
  /** Set when that person is logged in. */
  readonly sessionId?: number
  /** What the browser of that login says that it is. */
  readonly agent?: string
  /** Set for a user who is in the portal, by its cookie: the access token behind it. */
  readonly portalId?: number
  /** Set for a user who is in the portal, by its cookie or by a token that its link was exchanged for. */
  readonly isInPortal?: true
  /** Set for who is in the portal in a frame of another site, which has a cookie of its own. */
  readonly isFramed?: true
  /** Set for a user who has signed in to all products of its seller. */
  readonly isPerson?: true
}

/**
 * 401 `role_not_allowed` for a member whose role is limited, `token_not_allowed` for a token that is; `what` lets its
 * holder do more than such a role or token may (`docs/decisions.md` 3.15).
 */
export function requireUnlimited({ actor }: Pick<Scope, 'actor'>, what: string): void {
  if (!isBelowAccount(actor)) return
  const whose =
    actor.rights === undefined
      ? 'admins: with it one can do more than the role may'
      : 'a token that has all rights'
  throw notAllowed(actor, `${what} is for ${whose}.`)
}

/** Whether the person that the account is of is logged in: no member of its team, no key and no token. */
export const isOwner = ({ actor, developerId }: Pick<Scope, 'actor' | 'developerId'>): boolean =>
  actor.sessionId !== undefined && actor.id === developerId

/** 401 `role_not_allowed` for anybody but the owner of the account, who is logged in; `what` is for nobody else. */
export function requireOwner(scope: Pick<Scope, 'actor' | 'developerId'>, what: string): void {
  if (!isOwner(scope)) throw notAllowed(scope.actor, `${what} is for the owner of the account alone.`)
}

/** Whether nobody is proven to call: at most by the public key of a product. */
export const isStranger = ({ actor: { kind } }: Pick<Scope, 'actor'>): boolean =>
  kind === 'anonymous' || kind === 'public'

const PROVEN: readonly Actor['kind'][] = ['token', 'developer', 'store', 'product', 'system']

/** Whether the caller acts for the seller: no user, no install, and nobody who proves nothing. */
export const isSeller = ({ actor }: Pick<Scope, 'actor'>): boolean => PROVEN.includes(actor.kind)

/**
 * 400 `account_verification_required` for keys that are not proven to be the person's; `what` is for who is
 * (`docs/decisions.md` 3.12).
 */
export function requireWhole({ reach }: Scope, what: string): void {
  if (reach) throw wholeOnly(what)
}

export const wholeOnly = (what: string): ApiError =>
  invalid(
    'account_verification_required',
    `${what} is for who has proven to have the account: sign in, or connect the site by a link that is mailed to its address.`,
  )

/**
 * The keyring for a caller that may see the secret keys of products and stores. Null for any other: who knows
 * a public key only (`docs/decisions.md` 1.10), users and installs, and members and tokens whose rights are limited.
 * Nor does a login, which is asked for the password first (3.29).
 */
export const keysShownTo = ({ actor }: Scope, keys: Keyring): Keyring | null =>
  isSeller({ actor }) && !isBelowAccount(actor) && actor.sessionId === undefined ? keys : null

/**
 * The keyring for a caller that may see secret keys of users: a user and an install see their own, a limited role none.
 */
export const userKeysShownTo = ({ actor }: Scope, keys: Keyring): Keyring | null =>
  [...PROVEN, 'user', 'install'].includes(actor.kind) && !isBelowAccount(actor) ? keys : null

/** Whose data a request may touch. Every query starts from it; a handler never branches on its kind. */
export interface Scope {
  readonly kind: ScopeKind
  readonly developerId: number
  /** 0, which no row has, where the scope is not within a product. */
  readonly productId: number
  /** Set in user scope: only this user's rows. */
  readonly userId: number | null
  /** Set in install scope: only this install's rows. */
  readonly installId: number | null
  /** Set where the caller is not proven to be the user: only what came by the keys it signs with. */
  readonly reach?: OwnReach | undefined
  /** The pair that signed, when it is not the one that the seller is shown. */
  readonly userKeyId?: number | undefined
  /**
   * The product whose token can have proven what signed: more than its users' keys open is not opened
   * (`docs/decisions.md` 3.20).
   */
  readonly within?: number | undefined
  readonly actor: Actor
  /** The caller's address; null for jobs and the command line. */
  readonly ip: string | null
  readonly requestId: string | null
  /** Where the caller is, as a trusted proxy says (`countryReader`); null or absent: nobody says it. */
  readonly country?: string | null
  /**
   * Set in user scope where the path names no product: lists go over the product, its add-ons and the bundles it is
   * in (`docs/decisions.md` 3.1). What is not a list is of `productId`.
   */
  readonly isFamily?: boolean
  /**
   * Set where an install calls: the key of the highest version of its product, released or not; null: it has none.
   * It is read with the keys, as most of what installs ask is whether there is a later one.
   */
  readonly newestVersion?: string | null | undefined
  /** Set where a call comes from the portal: what is switched off there. */
  readonly portalOff?: ReadonlySet<PortalPart>
  /** A migration of data that asks for it records no events. */
  readonly isSilent?: true
}

type Parts = Pick<Scope, 'productId' | 'userId' | 'installId'>

/** All of a product, the scope's own unless another one is named: whoever calls, everybody's rows there are looked at. */
export const wholeProduct = <S extends Parts>(scope: S, productId = scope.productId): S => ({
  ...scope,
  productId,
  userId: null,
  installId: null,
})

/** Rows of whichever user, of the install alone where one calls. */
export const ofAnyUser = <S extends Parts>(scope: S): S => ({ ...scope, userId: null })

/** Rows of whichever install, of the user alone where one calls or owns the install that does. */
export const ofAnyInstall = <S extends Parts>(scope: S): S => ({ ...scope, installId: null })

/** An install of the scope's product, as it asks itself. */
export const ofInstall = (
  scope: Scope,
  { id, user_id: userId }: { readonly id: number; readonly user_id: number | null },
): Scope => ({
  ...scope,
  kind: 'install',
  userId,
  installId: id,
  actor: { kind: 'install', id, credential: `install:${id}` },
})

/** All that is the user's, also for keys that open only what came by them. */
export const ofWholeReach = (scope: Scope): Scope => ({ ...scope, reach: undefined })

/** Who caused the events of a request in this scope (`docs/decisions.md` 6.1). */
export function triggerOf({ kind, actor }: Scope): EventTrigger {
  if (actor.kind === 'system') return 'system'
  if (kind === 'user') return 'user'
  if (kind === 'install') return 'install'
  return kind === 'product' ? 'plugin' : 'developer'
}

/** What a job or the command line does to a product. */
export const systemScope = (owner: { developerId: number; productId: number }): Scope => ({
  kind: 'root',
  ...owner,
  userId: null,
  installId: null,
  actor: { kind: 'system', id: 0, credential: 'system' },
  ip: null,
  requestId: null,
})
