import type { Install } from '../../../../src/licensing/installs/schema.ts'
import { capital, type UnitWords } from '../../../shared/units.ts'
import { Time } from '../../format.tsx'
import { activationOf } from '../../curl.ts'
import { ToIssuing } from '../../lists/starts.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { InstallState, siteOf } from './columns.tsx'

const FILTERS = [
  ['active', texts.running],
  ['inactive', texts.inactive],
  ['paying', texts.onPaid],
  ['trial', texts.trial],
  ['uninstalled', texts.uninstalled],
] as const

const columnsIn = ({ one }: UnitWords): readonly Column<Install>[] => [
  { label: capital(one), show: siteOf },
  { label: texts.state, show: InstallState },
  { label: texts.version, show: ({ version }) => version ?? texts.none },
  { label: texts.country, show: ({ country_code: code }) => code?.toUpperCase() ?? texts.none },
  { label: texts.lastSeen, show: ({ last_seen_at: time }) => <Time time={time} /> },
]

/** What brings a row. */
const NEWS = ['install.installed']

export function Installs() {
  const { path, product, environment, wayTo } = usePlace()
  const unit = useUnit()
  return (
    <List<Install>
      title={texts.installs}
      about={texts.installsAbout}
      path={`${path}/installs.json`}
      items="installs"
      query={{ environment }}
      search={texts.searchInstalls}
      filters={FILTERS}
      hasSpan
      sorts={BY_AGE}
      columns={columnsIn(unit)}
      wayTo={({ id }) => wayTo('install', id)}
      news={NEWS}
      making={activationOf(product)}
      start={<ToIssuing />}
      empty={[texts.noInstalls, texts.noInstallsMore]}
    />
  )
}
