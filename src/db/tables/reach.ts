/**
 * What a caller sees who is a user, or an install of one, but not proven to be: what came by the keys it signs with
 * (`docs/decisions.md` 3.12). `id` is that of the pair, or of the install.
 */
export interface OwnReach {
  readonly of: 'pair' | 'install'
  readonly id: number
}
