import { Button } from '@mantine/core'
import { useState } from 'react'
import { Allowed } from '../../Allowed.tsx'
import { Copy } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'
import { ReplaceKey } from './ReplaceKey.tsx'
import { ShowKey } from './ShowKey.tsx'
import { words } from './words.ts'

interface Shown {
  /** What has the keys. */
  readonly of: keyof typeof words.of
  /** What the calls about it begin with. */
  readonly own: string
  readonly publicKey: string
}

/** The keys of a product, a store or the account: the secret one is asked for with the password, and kept nowhere. */
export function Keys({ of, own, publicKey }: Shown) {
  const [open, setOpen] = useState<'show' | 'replace' | null>(null)
  const close = () => setOpen(null)
  const { title, about } = words.of[of]
  return (
    <section className="panel facts form" aria-label={title}>
      <h2>{title}</h2>
      <p className="muted">{about}</p>
      <dl>
        <div>
          <dt>{texts.publicKey}</dt>
          <dd>
            <Copy text={publicKey} />
          </dd>
        </div>
        <div>
          <dt>{words.secretKey}</dt>
          <dd>
            <span role="img" aria-label={words.masked}>
              ••••••••
            </span>
          </dd>
        </div>
      </dl>
      <div className="actions">
        <Allowed group="tokens" isRead isQuiet>
          {(barred) => (
            <Button {...barred} variant="default" onClick={() => setOpen('show')}>
              {words.showKey}
            </Button>
          )}
        </Allowed>
        <Allowed group="tokens">
          {(barred) => (
            <Button {...barred} variant="default" onClick={() => setOpen('replace')}>
              {words.replace}
            </Button>
          )}
        </Allowed>
      </div>
      {open === 'show' ? <ShowKey own={own} close={close} /> : null}
      {open === 'replace' ? <ReplaceKey of={of} own={own} close={close} /> : null}
    </section>
  )
}
