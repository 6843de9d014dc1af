import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiToken } from '../../../../src/accounts/tokens/api-token-schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { timeText } from '../../format.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { List } from '../../lists/List.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { fill } from '../../../shared/language.ts'
import { texts } from '../../texts/texts.ts'
import { Keys } from '../keys/Keys.tsx'
import { AddToken } from './AddToken.tsx'
import { columnsOf, isOver } from './columns.tsx'

/** The tokens of the account and of its products: what each opens, and since when nobody has used it. */
export function Tokens() {
  const { account, accountPath } = usePlace()
  const { data: products = [] } = useQuery(productsQuery(account.developer_id))
  const [isAdding, setAdding] = useCreating('tokens')
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  return (
    <>
      <List<ApiToken>
        title={texts.tokens}
        about={texts.tokensAbout}
        create={
          <Allowed group="tokens">
            {(barred) => (
              <Button {...barred} onClick={() => setAdding(true)}>
                {texts.addToken}
              </Button>
            )}
          </Allowed>
        }
        path={`${accountPath}/tokens.json`}
        items="tokens"
        columns={columnsOf(products)}
        rowActions={(token) =>
          isOver(token) ? null : (
            <Allowed group="tokens" isQuiet>
              {(barred) => (
                <Button
                  {...barred}
                  variant="default"
                  size="compact-sm"
                  aria-label={`${texts.revoke}: ${token.name}`}
                  onClick={() => setRevoking(token)}
                >
                  {texts.revoke}
                </Button>
              )}
            </Allowed>
          )
        }
        making={{ body: { name: 'My program' } }}
        empty={[texts.noTokens, texts.noTokensMore]}
        below={
          <div className="halves">
            <Keys of="account" own={accountPath} publicKey={account.public_key} />
          </div>
        }
      />
      {isAdding ? <AddToken products={products} close={() => setAdding(false)} /> : null}
      {revoking === null ? null : (
        <Revoke token={revoking} own={accountPath} close={() => setRevoking(null)} />
      )}
    </>
  )
}

interface Revoking {
  readonly token: ApiToken
  /** What the calls about the account begin with. */
  readonly own: string
  readonly close: () => void
}

function Revoke({ token: { id, name, last_used_at: used }, own, close }: Revoking) {
  return (
    <Confirm
      title={texts.revokeToken}
      text={fill(texts.revokeTokenMore, {
        name,
        used: used === null ? texts.neverUsed : timeText(used),
      })}
      keep={texts.keepToken}
      sent={{ method: 'DELETE', path: `${own}/tokens/${id}.json` }}
      close={close}
    />
  )
}
