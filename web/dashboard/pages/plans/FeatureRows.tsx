import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Feature } from '../../../../src/catalogue/plans/feature-schema.ts'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useAtOnce } from '../../../ui/at-once.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Refusal } from '../../../ui/doing.tsx'
import { InPlace } from '../../InPlace.tsx'
import { useBarred } from '../../may-write.ts'
import { usePlace } from '../../place.ts'
import { featuresOfPlanQuery, featuresQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { featureTexts as words } from '../../texts/of-features.ts'
import { FeatureCell } from './FeatureCell.tsx'
import { MoveButtons } from './MoveButtons.tsx'
import { useMoving } from './moving.ts'

interface Shown {
  readonly features: readonly Feature[]
  readonly plans: readonly Plan[]
  /** Opens what is said of a feature beside its name. */
  readonly change: (feature: Feature) => void
}

/** Features by plans, each changed where it stands. */
export function FeatureRows({ features, plans, change }: Shown) {
  const isBarred = useBarred('catalogue') !== null
  const { changing, move, idOf } = useFeatures(features)
  return (
    <>
      <Refusal problem={changing.problem} />
      <div className="panel rows features">
        <table aria-label={words.features}>
          <thead>
            <tr>
              <th scope="col">{words.feature}</th>
              {plans.map(({ id, title }) => (
                <th key={id} scope="col">
                  {title}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {features.map((feature, at) => (
              <tr key={feature.id}>
                <td className="names">
                  <Named
                    feature={feature}
                    isBarred={isBarred}
                    rename={(title) => changing.change({ id: feature.id, title })}
                  />
                </td>
                {plans.map((plan) => (
                  <td key={plan.id} data-label={plan.title}>
                    <FeatureCell feature={feature} plan={plan} isBarred={isBarred} />
                  </td>
                ))}
                <td className="at-end">
                  <RowActions
                    feature={feature}
                    plans={plans}
                    idOf={(way) => idOf(way, feature.id)}
                    isBarred={isBarred}
                    up={at === 0 ? null : () => move(at, -1)}
                    down={at === features.length - 1 ? null : () => move(at, 1)}
                    change={() => change(feature)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface Naming {
  readonly feature: Feature
  readonly isBarred: boolean
  readonly rename: (title: string) => void
}

/** What a feature is called, and what is said of it. */
const Named = ({ feature, isBarred, rename }: Naming) => (
  <div>
    <InPlace
      text={feature.title}
      label={fill(words.rename, { feature: feature.title })}
      none={texts.none}
      isBarred={isBarred}
      save={rename}
    />
    <span className="muted">
      {[feature.description, feature.is_featured ? '' : words.onlyCompared]
        .filter((said) => said !== '')
        .join(' · ')}
    </span>
  </div>
)

type Change = readonly string[] | { readonly id: string; readonly title: string }

const isOrder = (change: Change): change is readonly string[] => Array.isArray(change)

/** Renames and moves features; who moves one stays on its button. */
function useFeatures(features: readonly Feature[]) {
  const { path } = usePlace()
  const changing = useAtOnce<readonly Feature[], Change>({
    queryKey: featuresQuery(path).queryKey,
    shown: (all, change) =>
      isOrder(change)
        ? change.flatMap((id) => all.find((one) => one.id === id) ?? [])
        : all.map((one) => (one.id === change.id ? { ...one, title: change.title } : one)),
    sent: (change) =>
      isOrder(change)
        ? {
            method: 'PUT',
            path: `${path}.json`,
            query: { fields: 'id,features' },
            body: { features: change.join(',') },
          }
        : { method: 'PUT', path: `${path}/features/${change.id}.json`, body: { title: change.title } },
    undo: (change, before) => {
      if (isOrder(change)) return { text: words.wasMoved, change: before.map(({ id }) => id) }
      const was = before.find(({ id }) => id === change.id)
      const text = fill(words.wasRenamed, { feature: change.title })
      return was ? { text, change: { id: was.id, title: was.title } } : null
    },
  })
  const moving = useMoving({ kind: 'feature', rows: features, reorder: changing.change })
  return { changing, ...moving }
}

interface Acts {
  readonly feature: Feature
  readonly plans: readonly Plan[]
  readonly idOf: (way: 'up' | 'down') => string
  readonly isBarred: boolean
  /** Null: it is the first. */
  readonly up: (() => void) | null
  readonly down: (() => void) | null
  readonly change: () => void
}

/** What is done with a feature beside its values. */
function RowActions({ feature, plans, idOf, isBarred, up, down, change }: Acts) {
  const [isRemoving, setRemoving] = useState(false)
  const named = (word: string) => fill(word, { feature: feature.title })
  return (
    <div className="actions">
      <MoveButtons title={feature.title} {...{ idOf, isBarred, up, down }} />
      <Button
        variant="default"
        size="compact-sm"
        disabled={isBarred}
        aria-label={named(words.changeOf)}
        onClick={change}
      >
        {texts.change}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        disabled={isBarred}
        aria-label={named(words.removeOf)}
        onClick={() => setRemoving(true)}
      >
        {texts.remove}
      </Button>
      {isRemoving ? <RemoveFeature feature={feature} plans={plans} close={() => setRemoving(false)} /> : null}
    </div>
  )
}

interface Removing extends Pick<Acts, 'feature' | 'plans'> {
  readonly close: () => void
}

function RemoveFeature({ feature, plans, close }: Removing) {
  const { path } = usePlace()
  const given = useQueries({ queries: plans.map(({ id }) => featuresOfPlanQuery(path, id)) })
  const count = given.filter(({ data }) => data?.some(({ id }) => id === feature.id)).length
  const counts = { feature: feature.title, count, all: plans.length }
  return (
    <Confirm
      title={words.remove}
      text={given.every(({ data }) => data !== undefined) ? fill(words.removeMore, counts) : undefined}
      asked={given}
      typed={count > 1 ? feature.title : undefined}
      keep={words.keep}
      sent={{ method: 'DELETE', path: `${path}/features/${feature.id}.json` }}
      close={close}
    />
  )
}
