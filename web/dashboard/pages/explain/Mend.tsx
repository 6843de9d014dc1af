import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { CheckName, Explanation } from '../../../../src/licensing/activation/explain-schema.ts'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { explainTexts } from '../../texts/of-explain.ts'
import { texts } from '../../texts/texts.ts'
import { ChangeLicense } from '../licenses/ChangeLicense.tsx'

interface Mended {
  readonly explanation: Explanation
  readonly again: () => void
}

/** What makes each check say yes the next time; null: only the client can. */
const MENDS: Readonly<Record<CheckName, ((mended: Mended) => ReactNode) | null>> = {
  uid: null,
  license_key: () => <ToPage page="licenses" text={explainTexts.mendFind} />,
  not_cancelled: () => <ToPage page="licenses" text={texts.issueLicense} />,
  not_expired: Change,
  owner: ToLicense,
  no_other_license: Deactivate,
  released: () => <ToPage page="plans" text={texts.plans} />,
  site: ToLicense,
  quota: Change,
  active: null,
  updates: Change,
  newer_version: () => <ToPage page="versions" text={explainTexts.mendVersion} />,
}

/** The button or the way by which a check that says no is mended. */
export function Mend({ name, ...mended }: Mended & { readonly name: CheckName }) {
  const Mending = MENDS[name]
  return Mending && <Mending {...mended} />
}

function ToPage({ page, text }: { readonly page: 'licenses' | 'plans' | 'versions'; readonly text: string }) {
  const { account, product } = usePlace()
  return (
    <Link to={`/$account/$product/${page}`} params={{ account: account.developer_id, product }}>
      {text}
    </Link>
  )
}

function ToLicense({ explanation: { license_id: id } }: Mended) {
  const { wayTo } = usePlace()
  return id === null ? null : <Link {...wayTo('license', id)}>{fill(texts.toLicense, { id })}</Link>
}

/** Gives the license another end or number of sites without leaving the page. */
function Change({ explanation: { license_id: id }, again }: Mended) {
  const { path } = usePlace()
  const own = `${path}/licenses/${id}`
  const { data: license } = useQuery({
    queryKey: [own],
    enabled: id !== null,
    queryFn: () => ask<License>(`${own}.json`),
  })
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    again()
  }
  return (
    <Allowed group="licenses" isQuiet>
      {(barred) => (
        <>
          <Button {...barred} variant="default" size="compact-sm" onClick={() => setOpen(true)}>
            {explainTexts.mendChange}
          </Button>
          {isOpen && license ? <ChangeLicense license={license} own={own} close={close} /> : null}
        </>
      )}
    </Allowed>
  )
}

function Deactivate({ explanation, again }: Mended) {
  const { path } = usePlace()
  const [isAsked, setAsked] = useState(false)
  const { install_id: install, other_license_id: other } = explanation
  if (install === null || other === null) return null
  const title = fill(explainTexts.mendOther, { id: other })
  const at = `${path}/installs/${install}/licenses/${other}.json`
  return (
    <Allowed group="licenses" isQuiet>
      {(barred) => (
        <>
          <Button {...barred} variant="default" size="compact-sm" onClick={() => setAsked(true)}>
            {title}
          </Button>
          {isAsked ? (
            <Confirm
              title={title}
              text={fill(explainTexts.mendOtherMore, { license: other, install })}
              keep={texts.keepLicense}
              sent={{ method: 'DELETE', path: at }}
              close={() => setAsked(false)}
              done={() => {
                setAsked(false)
                again()
              }}
            />
          ) : null}
        </>
      )}
    </Allowed>
  )
}
