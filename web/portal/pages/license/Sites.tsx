import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Install } from '../../../../src/licensing/installs/schema.ts'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { capital, type UnitWords } from '../../../shared/units.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Refusal, useDoing } from '../../../ui/doing.tsx'
import { isOver, Time } from '../../format.tsx'
import { Part } from '../../Part.tsx'
import { useHere, useUnit } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { OfflineFile } from './OfflineFile.tsx'
import { siteOf } from './sites.ts'

const columnsIn = ({ one }: UnitWords) => [
  { label: capital(one), show: siteOf },
  { label: texts.version, show: ({ version }: Install) => version ?? texts.none },
  { label: texts.lastSeen, show: ({ last_seen_at: time }: Install) => <Time time={time} /> },
]

interface SitesOf {
  readonly license: License
  /** Says what was done at the top of the page. */
  readonly say: (text: string) => void
}

/** Where a license is active, with the ways to end that, and to prove it where there is no network. */
export function Sites({ license, say }: SitesOf) {
  const { path, isOff } = useHere()
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
        columns={columnsIn(useUnit())}
        {...(!isOff('deactivate') && {
          actions: (install: Install) => (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`${texts.deactivate}: ${siteOf(install)}`}
              onClick={() => end(install)}
            >
              {texts.deactivate}
            </Button>
          ),
        })}
        empty={texts.noSites}
      />
      <OfAll license={license} say={say} />
    </div>
  )
}

/** Where a license is to end on all of its sites, and to be proven on one without a network. */
function OfAll({ license, say }: SitesOf) {
  const { path, isOff } = useHere()
  const [open, setOpen] = useState<'ending' | 'offline' | null>(null)
  const unit = useUnit()
  const close = () => setOpen(null)
  const count = license.activated + (license.activated_local ?? 0)
  const mayEnd = count > 0 && !isOff('deactivate_all')
  const mayProve = !isOver(license) && !isOff('offline_file')
  if (!mayEnd && !mayProve) return null
  return (
    <>
      <Group gap={8}>
        {mayEnd ? (
          <Button variant="default" size="compact-sm" onClick={() => setOpen('ending')}>
            {texts.deactivateAll}
          </Button>
        ) : null}
        {mayProve ? (
          <Button variant="default" size="compact-sm" onClick={() => setOpen('offline')}>
            {texts.offlineFile}
          </Button>
        ) : null}
      </Group>
      {open === 'ending' ? (
        <Confirm
          title={texts.deactivateAll}
          text={
            count === 1
              ? fill(texts.deactivateAllOne, { unit: unit.one })
              : fill(texts.deactivateAllMore, { count, units: unit.onMany })
          }
          keep={texts.keepActive}
          sent={{ method: 'DELETE', path: `${path}/licenses/${license.id}/installs.json` }}
          close={close}
          done={() => {
            close()
            say(texts.deactivatedAll)
          }}
        />
      ) : null}
      {open === 'offline' ? <OfflineFile licenseId={license.id} close={close} /> : null}
    </>
  )
}
