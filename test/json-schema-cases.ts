/**
 * Cases for every keyword of JSON Schema 2020-12. The columns of a row contain a schema, values that satisfy it, and
 * values that do not, as JSON. Most rows include a valid value of a type to which the keyword does not apply.
 */
const CASES = String.raw`
type
  {"type":"integer"} | [0,-1,1.0,1e3,12345678901234567890] | [1.5,"1",null,true,[],{}]
  {"type":"number"} | [0,1.5,-2e-7] | ["1",null,false,[1],{"a":1}]
  {"type":"string"} | ["","1","\u0000","🪐"] | [1,null,true,["a"],{}]
  {"type":"boolean"} | [true,false] | [0,1,"","true",null,[],{}]
  {"type":"null"} | [null] | [0,"",false,[],{},"null"]
  {"type":"array"} | [[],[1],[[]]] | [{},"[]",null,{"length":0},{"0":1}]
  {"type":"object"} | [{},{"a":null},{"__proto__":1}] | [[],"{}",null,1]
  {"type":["string","null"]} | ["",null] | [0,false,[],{}]
  {"type":["integer","array"]} | [1,2.0,[]] | [1.5,{},"1"]

const
  {"const":1} | [1,1.0,1e0] | ["1",true,[1],0,-1]
  {"const":0} | [0,-0,0.0] | [false,null,"",[],{}]
  {"const":false} | [false] | [0,null,"false",[false]]
  {"const":null} | [null] | [0,false,"",{}]
  {"const":"a"} | ["a"] | ["A","a ",["a"]]
  {"const":"\u0000"} | ["\u0000"] | ["","0"]
  {"const":"e\u0301"} | ["e\u0301"] | ["\u00e9"]
  {"const":[1,{"a":2}]} | [[1,{"a":2}]] | [[1],[{"a":2},1],[1,{"a":2},3],{"0":1,"1":{"a":2}}]
  {"const":{"a":1,"b":[2]}} | [{"a":1,"b":[2]},{"b":[2],"a":1.0}] | [{"a":1},{"a":1,"b":[2],"c":3},{"a":true,"b":[2]}]
  {"const":{"a":false}} | [{"a":false}] | [{"a":0},[false]]

enum
  {"enum":[1,"a",null]} | [1,1.0,"a",null] | [2,"1","A",false,[1]]
  {"enum":[[],{}]} | [[],{}] | [[[]],{"a":1},null]
  {"enum":[0]} | [0,-0] | [false,"0"]
  {"enum":[[0],{"a":[1,2]}]} | [[0],{"a":[1,2]}] | [[false],{"a":[2,1]},0]
  {"enum":["toString","__proto__"]} | ["toString","__proto__"] | ["constructor",{}]

multipleOf
  {"multipleOf":2} | [0,2,-4,1e3,"3",null] | [1,-3,2.5]
  {"multipleOf":1.5} | [0,1.5,4.5,-3] | [1,35]
  {"multipleOf":0.0001} | [0.0075,1,"a"] | [0.00751]
  {"multipleOf":0.5} | [1e20,2.5] | [0.25]

maximum
  {"maximum":3} | [3,2.9,-5,"4",[4]] | [3.01,4]
  {"maximum":-1.5} | [-1.5,-2] | [-1.49,0]
  {"maximum":300} | [299.97,300,300.0] | [300.5,301]

exclusiveMaximum
  {"exclusiveMaximum":3} | [2.999,-1,"3"] | [3,3.0,4]

minimum
  {"minimum":1.1} | [1.1,2,"x",null] | [1,0.6,-2]
  {"minimum":-2} | [-2,-2.0,0] | [-2.0001,-3]

exclusiveMinimum
  {"exclusiveMinimum":0} | [1e-300,1,"",false] | [0,-0,-1]

maxLength
  {"maxLength":2} | ["","ab","🪐🪐",100,["a","b","c"]] | ["abc","🪐🪐🪐"]
  {"maxLength":2.0} | ["ab"] | ["abc"]
  {"maxLength":0} | [""] | ["a","\u0000"]

minLength
  {"minLength":2} | ["ab","abc","🪐🪐",1,[]] | ["a","","🪐"]
  {"minLength":1} | ["\u0000","\u200b"," "] | [""]

pattern
  {"pattern":"^a*$"} | ["","aaa",1,null,["b"]] | ["b","aab"]
  {"pattern":"a+"} | ["xaay","a"] | ["","b"]
  {"pattern":"^\\d{4}-\\d{2}$"} | ["2026-11"] | ["2026-1","２０２６-１１","2026-11\n"]
  {"pattern":"^\\p{Lu}\\p{L}*$"} | ["Éa","Ωmega"] | ["éa","1"]
  {"pattern":"^.$"} | ["🪐","é"] | ["","ab","e\u0301"]
  {"pattern":"^\\w+$"} | ["a_1"] | ["é","a-b"]
  {"pattern":"^\\s$"} | [" ","\t","\u00a0","\ufeff","\u2028"] | ["","\u200b"]
  {"pattern":"^a(?!b)"} | ["a","ac"] | ["ab","b"]
  {"pattern":"^(a|b)\\1$"} | ["aa","bb"] | ["ab","a"]

maxItems
  {"maxItems":2} | [[],[1,2],"abc",{"0":1,"1":2,"2":3}] | [[1,2,3]]
  {"maxItems":0} | [[]] | [[null]]

minItems
  {"minItems":1} | [[1],[null],"",{}] | [[]]

uniqueItems
  {"uniqueItems":true} | [[],[1,2],[1,"1",true],[0,false],[null,0,""],[[1],[2]],[{"a":1},{"a":2}],[[1],1],"aa"] | [[1,1],[1,1.0],["a","b","a"],[null,null],[[1],[1]],[{"a":1,"b":2},{"b":2,"a":1}],[{},{}],[[],[]],[0,-0]]
  {"uniqueItems":true} | [["e\u0301","\u00e9"],[[0],[false]],[{"a":0},{"a":false}],[[[1],"a"],[[1],"b"]]] | [[[[1],"a"],[[1],"a"]],[{"a":[{"b":1}]},1,{"a":[{"b":1}]}]]
  {"uniqueItems":false} | [[1,1],[]] | []
  {"uniqueItems":true,"prefixItems":[{"type":"boolean"}]} | [[true,false],[true,1,"a"]] | [[true,true],[1]]

prefixItems
  {"prefixItems":[{"type":"integer"},{"type":"string"}]} | [[],[1],[1,"a"],[1,"a",null],{"0":"a"},"a"] | [["a"],[1,1]]
  {"prefixItems":[true,false]} | [[],[1]] | [[1,2]]
  {"prefixItems":[{}],"items":false} | [[],[1]] | [[1,2]]
  {"prefixItems":[{}],"items":{"type":"string"}} | [[1],[1,"a","b"]] | [[1,2],[1,"a",2]]

items
  {"items":{"type":"integer"}} | [[],[1,2],{"a":"b"},"ab"] | [["a"],[1,"a"]]
  {"items":false} | [[],1] | [[1],[null]]
  {"items":true} | [[],[1,"a"]] | []
  {"items":{"items":{"type":"integer"}}} | [[[1],[]],[1]] | [[["a"]]]

contains
  {"contains":{"minimum":5}} | [[5],[1,6],[7,8],{},"a",["a"]] | [[],[1,2]]
  {"contains":true} | [[1],[null]] | [[]]
  {"contains":false} | ["a",{}] | [[],[1]]
  {"contains":{"const":5},"items":{"multipleOf":5}} | [[5],[10,5]] | [[10],[5,6]]
  {"contains":{"if":false,"else":true}} | [["a"]] | [[]]

maxContains
  {"contains":{"const":1},"maxContains":1} | [[1],[1,2]] | [[],[1,1],[2]]
  {"maxContains":1} | [[],[1,1]] | []
  {"contains":{"const":1},"minContains":0,"maxContains":1} | [[],[1],[2,2]] | [[1,1]]

minContains
  {"contains":{"const":1},"minContains":2} | [[1,1],[1,2,1]] | [[],[1],[1,2]]
  {"contains":{"const":1},"minContains":0} | [[],[2],[1]] | []
  {"contains":{"const":1},"minContains":2,"maxContains":3} | [[1,1],[1,1,1]] | [[1],[1,1,1,1]]
  {"minContains":2} | [[],[1]] | []

maxProperties
  {"maxProperties":1} | [{},{"a":1},[1,2],"ab"] | [{"a":1,"b":2}]
  {"maxProperties":0} | [{}] | [{"__proto__":1},{"a":null}]

minProperties
  {"minProperties":1} | [{"a":1},{"__proto__":1},[],""] | [{}]

required
  {"required":["a"]} | [{"a":1},{"a":null,"b":1},[],"a",1] | [{},{"b":1},{"A":1}]
  {"required":[]} | [{}] | []
  {"required":["__proto__","toString","constructor"]} | [{"__proto__":1,"toString":1,"constructor":1},[]] | [{},{"__proto__":1},{"toString":1}]
  {"required":["a\nb","a\"b","a\\b","","é"]} | [{"a\nb":1,"a\"b":1,"a\\b":1,"":1,"é":1}] | [{"a\nb":1},{}]

dependentRequired
  {"dependentRequired":{"a":["b"]}} | [{},{"b":1},{"a":1,"b":2},["a"],"a"] | [{"a":1}]
  {"dependentRequired":{"a":[]}} | [{},{"a":1}] | []
  {"dependentRequired":{"a":["b","c"]}} | [{"a":1,"b":1,"c":1},{"b":1}] | [{"a":1,"b":1},{"a":1,"c":1}]
  {"dependentRequired":{"a\nb":["a\"b"]}} | [{"a\nb":1,"a\"b":1}] | [{"a\nb":1}]

properties
  {"properties":{"a":{"type":"integer"},"b":{"type":"string"}}} | [{},{"a":1,"b":""},{"c":[]},[],1] | [{"a":"1"},{"a":1,"b":1},{"a":{},"b":[]}]
  {"properties":{"a":true,"b":false}} | [{},{"a":1}] | [{"b":1},{"a":1,"b":2}]
  {"properties":{"toString":{"type":"string"},"constructor":{"type":"number"}}} | [{},{"toString":"","constructor":1},[],1] | [{"toString":1},{"constructor":"a"}]
  {"properties":{"a\nb":{"const":1},"a\"b":{"const":1},"$ref":{"const":1}}} | [{"a\nb":1,"a\"b":1,"$ref":1}] | [{"a\nb":2},{"$ref":"#"}]

patternProperties
  {"patternProperties":{"^a":{"type":"integer"}}} | [{},{"a":1,"ab":2,"b":"x"},["a"],"a"] | [{"a":"x"},{"ab":null}]
  {"patternProperties":{"a":{"minimum":1},"b":{"maximum":2}}} | [{"ab":1},{"a":5},{"b":-5}] | [{"ab":0},{"ab":3},{"a":0}]
  {"patternProperties":{"^.*$":false}} | [{}] | [{"a":1},{"":1},{"__proto__":1}]
  {"patternProperties":{"x":true,"^\\p{Lu}":false}} | [{"x":1},{"a":1}] | [{"Éx":1},{"X":1}]

additionalProperties
  {"properties":{"a":{}},"patternProperties":{"^v":{}},"additionalProperties":false} | [{},{"a":1,"v1":2},[1],"a"] | [{"b":1},{"a":1,"c":2}]
  {"additionalProperties":false} | [{},[]] | [{"a":1},{"__proto__":1}]
  {"additionalProperties":{"type":"boolean"}} | [{"a":true}] | [{"a":1},{"a":true,"b":0}]
  {"properties":{"a":{}},"additionalProperties":{"type":"boolean"}} | [{"a":1,"b":true}] | [{"a":1,"b":1}]
  {"allOf":[{"properties":{"a":{}}}],"additionalProperties":false} | [{}] | [{"a":1}]

propertyNames
  {"propertyNames":{"maxLength":2}} | [{},{"ab":1},["abc"],"abc"] | [{"abc":1},{"a":1,"abc":1}]
  {"propertyNames":{"pattern":"^a+$"}} | [{"a":1,"aa":1}] | [{"":1},{"ab":1},{"__proto__":1}]
  {"propertyNames":false} | [{}] | [{"a":1}]
  {"propertyNames":{"enum":["a","b"]}} | [{"a":1}] | [{"c":1}]

dependentSchemas
  {"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}}}}} | [{},{"a":1},{"a":1,"b":2},{"b":"x"},["a"]] | [{"a":1,"b":"x"}]
  {"dependentSchemas":{"a":true,"b":false}} | [{},{"a":1}] | [{"b":1},{"a":1,"b":1}]
  {"properties":{"a":{}},"dependentSchemas":{"a":{"properties":{"b":{}},"additionalProperties":false}}} | [{},{"c":1}] | [{"a":1},{"a":1,"b":1}]

allOf
  {"allOf":[{"required":["a"]},{"required":["b"]}]} | [{"a":1,"b":2},1] | [{},{"a":1},{"b":1}]
  {"allOf":[{"minimum":2},{"maximum":3}],"multipleOf":2} | [2] | [1,3,4]
  {"allOf":[true,false]} | [] | [1,{},"a"]
  {"allOf":[{}]} | [1,{}] | []

anyOf
  {"anyOf":[{"type":"integer"},{"minimum":2}]} | [1,2.5,3,"a"] | [1.5]
  {"anyOf":[true,false]} | [1,null] | []
  {"anyOf":[false,false]} | [] | [1,{}]
  {"type":"string","anyOf":[{"maxLength":2},{"minLength":4}]} | ["ab","abcd"] | ["abc",1]

oneOf
  {"oneOf":[{"type":"integer"},{"minimum":2}]} | [1,2.5,"a"] | [3,1.5]
  {"oneOf":[true,false,false]} | [1] | []
  {"oneOf":[true,true]} | [] | [1,"a"]
  {"oneOf":[{"required":["a","b"]},{"required":["a","c"]}]} | [{"a":1,"b":2},{"a":1,"c":2}] | [{"a":1},{"a":1,"b":2,"c":3},1]

not
  {"not":{"type":"integer"}} | ["a",1.5,null] | [1,1.0]
  {"not":{"not":{"type":"integer"}}} | [1] | ["a"]
  {"not":true} | [] | [1,{}]
  {"not":false} | [1,{}] | []
  {"properties":{"a":{"not":{}}}} | [{},{"b":1}] | [{"a":1},{"a":null}]

if, then, else
  {"if":{"exclusiveMaximum":0},"then":{"minimum":-10},"else":{"multipleOf":2}} | [-1,-10,0,4,"a"] | [-11,3]
  {"if":{"const":0}} | [0,"a"] | []
  {"then":{"const":0}} | [0,"a"] | []
  {"else":{"const":0}} | [0,"a"] | []
  {"if":true,"then":{"const":"then"},"else":{"const":"else"}} | ["then"] | ["else"]
  {"if":false,"then":{"const":"then"},"else":{"const":"else"}} | ["else"] | ["then"]
  {"if":{"const":1},"then":{"type":"string"}} | [2,"a"] | [1]
  {"allOf":[{"if":{"minimum":1}},{"then":{"minimum":100}},{"else":{"minimum":100}}]} | [1,0] | []

$ref, $defs, $id, $anchor
  {"$ref":"#/$defs/a","$defs":{"a":{"type":"integer"}}} | [1] | ["a"]
  {"$ref":"#/$defs/a","maximum":3,"$defs":{"a":{"minimum":1}}} | [1,3,"a"] | [0,4]
  {"properties":{"a":{"$ref":"#"}},"additionalProperties":false} | [{},{"a":{}},{"a":{"a":{"a":{}}}}] | [{"b":1},{"a":{"b":1}}]
  {"$ref":"#/$defs/a~1b~0c%25d","$defs":{"a/b~c%d":{"type":"integer"}}} | [1] | ["a"]
  {"properties":{"a":{"type":"integer"},"b":{"$ref":"#/properties/a"}}} | [{"a":1,"b":2}] | [{"b":"a"}]
  {"prefixItems":[{"type":"integer"},{"$ref":"#/prefixItems/0"}]} | [[1,2]] | [[1,"a"]]
  {"$ref":"#/$defs/c","$defs":{"a":{"type":"integer"},"b":{"$ref":"#/$defs/a"},"c":{"$ref":"#/$defs/b"}}} | [1] | ["a"]
  {"$ref":"#here","$defs":{"a":{"$anchor":"here","type":"integer"}}} | [1] | ["a"]
  {"$id":"https://sol.example/schema","$ref":"https://sol.example/schema#/$defs/a","$defs":{"a":{"type":"integer"}}} | [1] | ["a"]
  {"$ref":"https://sol.example/inner","$defs":{"a":{"$id":"https://sol.example/inner","type":"integer"}}} | [1] | ["a"]
  {"properties":{"$ref":{"type":"string"}}} | [{"$ref":"a"},{}] | [{"$ref":1}]
  {"const":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"integer"}}} | [{"$ref":"#/$defs/a"}] | [1]
  {"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","required":["nodes"],"properties":{"nodes":{"items":{"$ref":"#/$defs/tree"}}}}}} | [{"nodes":[]},{"nodes":[{"nodes":[]}]}] | [{},{"nodes":[{}]},{"nodes":[{"nodes":[1]}]}]
  {"$defs":{"a":{"type":"integer"}},"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]} | [1] | ["a"]
  {"$ref":"#/$defs/a","$defs":{"a":false}} | [] | [1,{}]

unevaluatedItems
  {"unevaluatedItems":false} | [[],1,{}] | [[1]]
  {"prefixItems":[{"type":"string"}],"unevaluatedItems":false} | [[],["a"]] | [["a",1],[1]]
  {"prefixItems":[{}],"unevaluatedItems":{"type":"string"}} | [[1],[1,"a"]] | [[1,2]]
  {"allOf":[{"prefixItems":[{}]}],"unevaluatedItems":false} | [[],[1]] | [[1,2]]
  {"anyOf":[{"prefixItems":[{"const":1}]},{"prefixItems":[{"const":1},{"const":2}]}],"unevaluatedItems":false} | [[1],[1,2]] | [[1,3],[1,2,3],[2]]

unevaluatedProperties
  {"unevaluatedProperties":false} | [{},[1],"a"] | [{"a":1}]
  {"properties":{"a":{}},"unevaluatedProperties":false} | [{"a":1}] | [{"a":1,"b":2}]
  {"patternProperties":{"^a":{}},"unevaluatedProperties":{"type":"integer"}} | [{"a":"x","b":1}] | [{"b":"x"}]
  {"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false} | [{},{"a":1}] | [{"b":1}]
  {"anyOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"b":{"const":2}},"required":["b"]}],"unevaluatedProperties":false} | [{"a":1},{"b":2},{"a":1,"b":2}] | [{"a":1,"c":1},{"a":1,"b":1},{}]
  {"if":{"required":["a"]},"then":{"properties":{"a":{}}},"else":{"properties":{"b":{}}},"unevaluatedProperties":false} | [{"a":1},{"b":1},{}] | [{"a":1,"b":1},{"c":1}]
  {"$ref":"#/$defs/a","properties":{"b":{}},"unevaluatedProperties":false,"$defs":{"a":{"properties":{"a":{}}}}} | [{"a":1,"b":1}] | [{"c":1}]
  {"dependentSchemas":{"a":{"properties":{"b":{}}}},"properties":{"a":{}},"unevaluatedProperties":false} | [{"a":1,"b":1},{"a":1}] | [{"b":1}]
  {"not":{"not":{"properties":{"a":{}}}},"unevaluatedProperties":false} | [{}] | [{"a":1}]

annotations and unknown keywords
  {"title":"a","description":"b","$comment":"c","default":1,"examples":[2],"deprecated":true,"readOnly":true,"writeOnly":true} | [1,"a",null] | []
  {"type":"integer","default":"not one"} | [1] | ["not one"]
  {"format":"date"} | ["2026-02-30","a",1] | []
  {"contentEncoding":"base64","contentMediaType":"application/json","contentSchema":{"type":"integer"}} | ["!","e30=",1] | []
  {"x-unit":"km","minimun":3,"divisibleBy":2,"extends":{"type":"string"}} | [1,"a"] | []
  {"additionalItems":false} | [[1],{"a":1}] | []

true and false
  true | [1,"a",null,[],{}] | []
  false | [] | [1,"a",null,[],{}]
  {} | [1,"a",null,[],{}] | []
  {"$schema":"https://json-schema.org/draft/2020-12/schema"} | [1,{}] | []
`

/** A schema, with values that satisfy it and values that do not. */
export interface SchemaCase {
  readonly keyword: string
  /** Text of the row, for error messages. */
  readonly row: string
  readonly schema: unknown
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

/** All cases in order, each with the keyword of its group. */
export const SCHEMA_CASES: readonly SchemaCase[] = CASES.trim()
  .split('\n\n')
  .flatMap((section) => {
    const [keyword = '', ...rows] = section.split('\n')
    return rows.map((row) => {
      const [schema, valid, invalid] = row.split(' | ').map((column) => JSON.parse(column))
      return { keyword, row, schema, valid, invalid }
    })
  })
