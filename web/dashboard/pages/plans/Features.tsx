import { Button, NativeSelect } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Feature } from '../../../../src/catalogue/plans/feature-schema.ts'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import { Blank, Loading } from '../../../ui/parts.tsx'
import { Allowed } from '../../Allowed.tsx'
import { FormDialog, type Field } from '../../form.tsx'
import { Failure } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { featuresQuery } from '../../products.ts'
import { featureTexts as words } from '../../texts/of-features.ts'
import { FeatureRows } from './FeatureRows.tsx'

/** What is said of a feature. */
const FIELDS: readonly Field[] = [
  { name: 'title', label: words.title, empty: 'left out' },
  { name: 'description', label: words.description, help: words.descriptionHelp },
  { name: 'is_featured', label: words.isFeatured, kind: 'flag' },
]

/** What each plan gives: a line for each feature, a column for each plan; on a narrow screen one plan at a time. */
export function Features({ plans }: { readonly plans: readonly Plan[] | undefined }) {
  const { path } = usePlace()
  const [isAdding, setAdding] = useState(false)
  if (plans === undefined) return null
  return (
    <section className="stack" aria-label={words.features}>
      <div className="page-head">
        <div>
          <h2>{words.features}</h2>
          <p className="muted">{plans.length === 0 ? words.noPlans : words.about}</p>
        </div>
        <Allowed group="catalogue" isQuiet>
          {(barred) => (
            <Button {...barred} variant="default" onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          )}
        </Allowed>
      </div>
      <Matrix plans={plans} />
      {isAdding ? (
        <FormDialog
          title={words.add}
          fields={FIELDS}
          before={{ is_featured: true }}
          act={words.add}
          sent={(body) => ({ method: 'POST', path: `${path}/features.json`, body })}
          close={() => setAdding(false)}
        />
      ) : null}
    </section>
  )
}

function Matrix({ plans }: { readonly plans: readonly Plan[] }) {
  const { path } = usePlace()
  const { data: features, error, refetch } = useQuery(featuresQuery(path))
  const isNarrow = useMediaQuery('(max-width: 899px)')
  const [one, setOne] = useState<string | null>(null)
  const [changed, setChanged] = useState<Feature | null>(null)
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!features) return <Loading lines={3} />
  if (features.length === 0) return <Blank title={words.none} more={words.noneMore} />
  const alone = plans.find(({ id }) => id === one) ?? plans[0]
  return (
    <>
      {isNarrow && alone ? (
        <NativeSelect
          label={words.plan}
          value={alone.id}
          data={plans.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={({ target }) => setOne(target.value)}
        />
      ) : null}
      <FeatureRows features={features} plans={isNarrow && alone ? [alone] : plans} change={setChanged} />
      {changed ? (
        <FormDialog
          title={words.change}
          fields={FIELDS}
          before={changed}
          sent={(body) => ({ method: 'PUT', path: `${path}/features/${changed.id}.json`, body })}
          close={() => setChanged(null)}
        />
      ) : null}
    </>
  )
}
