import type { ListedTrial } from '../../../../src/licensing/trials/schema.ts'
import { Time } from '../../format.tsx'
import { ToCheckout } from '../../lists/starts.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import { useOver } from '../../lists/over.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { TrialState } from './TrialState.tsx'

const FILTERS = [
  ['running', texts.trialRunning],
  ['converted', texts.trialConverted],
  ['cancelled', texts.cancelled],
  ['ended', texts.trialEnded],
] as const

/** The trials of a product, or of all products of the account. */
export function Trials() {
  const { environment, wayTo } = usePlace()
  const over = useOver<ListedTrial>('trials')
  return (
    <List<ListedTrial>
      title={texts.trials}
      about={over.isOfAll ? texts.trialsAboutAll : texts.trialsAbout}
      actions={over.actions}
      path={`${over.path}/trials.json`}
      items="trials"
      query={{ environment, extended: true }}
      filters={FILTERS}
      hasSpan
      sorts={BY_AGE}
      columns={[
        { label: texts.customer, show: ({ email }) => email ?? texts.nobody },
        { label: texts.state, show: TrialState },
        ...over.columns,
        { label: texts.created, show: ({ created }) => <Time time={created} /> },
        { label: texts.ends, show: ({ trial_ends_at: end }) => <Time time={end} /> },
      ]}
      wayTo={({ id, plugin_id: product }) => wayTo('trial', id, product)}
      making={{
        path: `${over.isOfAll ? `${over.path}/products/$PRODUCT` : over.path}/installs/$INSTALL/plans/$PLAN/trials.json`,
        body: {},
      }}
      create={<ToCheckout />}
      empty={[texts.noTrials, texts.noTrialsMore]}
    />
  )
}
