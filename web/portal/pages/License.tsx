import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Install } from '../../../src/licensing/installs/schema.ts'
import type { License as Shown } from '../../../src/licensing/licenses/schema.ts'
import { fill } from '../../shared/language.ts'
import { Refusal, useDoing } from '../../ui/doing.tsx'
import { Facts } from '../../ui/parts.tsx'
import { EndText, Key, LicenseState, Time, usedText } from '../format.tsx'
import { Head } from '../Head.tsx'
import { One } from '../One.tsx'
import { Part } from '../Part.tsx'
import { useHere } from '../place.ts'
import { texts } from '../texts/texts.ts'
import { ToCheckout } from '../ToCheckout.tsx'

/** One license: its key, where it is active, and what its owner does with it. */
export function License() {
  const { path } = useHere()
  const { id = '' } = useParams({ strict: false })
  const own = `${path}/licenses/${id}`
  return (
    <One<Shown> title={texts.license} path={own}>
      {(license) => (
        <>
          <Head
            title={`${texts.license} #${license.id}`}
            state={<LicenseState {...license} />}
            actions={license.is_cancelled ? null : <ToCheckout text={texts.change} license={own} />}
          />
          <div className="two">
            <Sites license={license} />
            <Facts
              facts={[
                { label: texts.key, value: license.secret_key ? <Key text={license.secret_key} /> : null },
                { label: texts.activations, value: usedText(license) },
                { label: texts.ends, value: <EndText {...license} /> },
                { label: texts.created, value: <Time time={license.created} /> },
              ]}
            />
          </div>
        </>
      )}
    </One>
  )
}

const siteOf = ({ url, title, uid }: Install): string => url ?? title ?? uid

/** Where it is active, with the way to end that. */
function Sites({ license }: { readonly license: Shown }) {
  const { path } = useHere()
  const [said, setSaid] = useState('')
  const ending = useDoing<unknown>(() => undefined)
  const end = (install: Install) => {
    setSaid(fill(texts.deactivated, { site: siteOf(install) }))
    ending.send({ method: 'DELETE', path: `${path}/installs/${install.id}/licenses/${license.id}.json` })
  }
  return (
    <div className="stack">
      <Refusal problem={ending.problem} />
      <p role="status" className="unseen">
        {ending.isBusy || ending.problem ? '' : said}
      </p>
      <Part<Install>
        title={texts.sites}
        path={`${path}/installs.json`}
        items="installs"
        query={{ license_id: license.id }}
        columns={SITES}
        actions={(install) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${texts.deactivate}: ${siteOf(install)}`}
            onClick={() => end(install)}
          >
            {texts.deactivate}
          </Button>
        )}
        empty={texts.noSites}
      />
    </div>
  )
}

const SITES = [
  { label: texts.site, show: siteOf },
  { label: texts.version, show: ({ version }: Install) => version ?? texts.none },
  { label: texts.lastSeen, show: ({ last_seen_at: time }: Install) => <Time time={time} /> },
]
