import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Install } from '../../../../src/licensing/installs/schema.ts'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { capital, type UnitWords } from '../../../shared/units.ts'
import { Refusal } from '../../../ui/doing.tsx'
import { Allowed } from '../../Allowed.tsx'
import { Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { useWithUndo } from '../../with-undo.ts'
import { useUnit } from '../../unit.ts'
import { siteOf } from '../installs/columns.tsx'
import { TryActivation } from './TryActivation.tsx'

interface OfLicense {
  readonly license: License
  readonly own: string
}

/** Where a license is active, with the way to end that, which can be taken back for a while. */
export function Sites({ license, own }: OfLicense) {
  const { path, wayTo } = usePlace()
  const unit = useUnit()
  const [isTrying, setTrying] = useState(false)
  const { problem, act: takeOff } = useEnding(license)
  return (
    <div className="stack">
      <Refusal problem={problem} />
      <Part<Install>
        title={texts.activeOn}
        path={`${path}/installs.json`}
        items="installs"
        query={{ license_id: license.id }}
        columns={siteColumns(unit)}
        wayTo={({ id }) => wayTo('install', id)}
        actions={(install) => (
          <Allowed group="licenses" isQuiet>
            {(barred) => (
              <Button
                {...barred}
                variant="default"
                size="compact-sm"
                aria-label={`${texts.deactivate}: ${siteOf(install)}`}
                onClick={() => takeOff(install)}
              >
                {texts.deactivate}
              </Button>
            )}
          </Allowed>
        )}
        empty={texts.noSites}
        start={license.is_cancelled ? null : <ToTry open={() => setTrying(true)} />}
      />
      {isTrying ? <TryActivation license={license} own={own} close={() => setTrying(false)} /> : null}
    </div>
  )
}

/** Takes the license off a site, and puts it there again where that is undone. */
function useEnding({ id, secret_key: license_key }: License) {
  const { path } = usePlace()
  const pathOf = (install: Install) => `${path}/installs/${install.id}/licenses/${id}.json`
  return useWithUndo<Install>({
    sent: (install) => ({ method: 'DELETE', path: pathOf(install) }),
    said: (install) => fill(texts.deactivated, { site: siteOf(install) }),
    back: (install) => ({ method: 'PUT', path: pathOf(install), body: { license_key } }),
  })
}

const ToTry = ({ open }: { readonly open: () => void }) => (
  <Allowed group="licenses" isQuiet>
    {(barred) => (
      <Button {...barred} className="at-start" variant="default" onClick={open}>
        {texts.tryActivation}
      </Button>
    )}
  </Allowed>
)

const siteColumns = ({ one }: UnitWords) => [
  { label: capital(one), show: siteOf },
  { label: texts.version, show: ({ version }: Install) => version ?? texts.none },
  { label: texts.lastSeen, show: ({ last_seen_at: time }: Install) => <Time time={time} /> },
]
