package record

// Schema returns the JSON Schema (draft 2020-12) of a JSON record with all fields, as text
// in UTF-8 with line ends. It allows no other fields. The slice is the caller's.
func Schema() []byte {
	b := []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "A record of urlsift, version 1",
  "type": "object",
  "properties": {
`)
	required := ""
	for i := range fields {
		f := &fields[i]
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = append(AppendString(append(b, "    "...), f.Name), `: {"description": `...)
		about := f.Description
		if f.Section != "" {
			about += " (" + f.Section + ")"
		}
		b = append(AppendString(b, about), ", "...)
		b = append(b, f.schemaType()...)
		b = append(b, '}')
		if f.Always {
			if required != "" {
				required += ", "
			}
			required += `"` + f.Name + `"`
		}
	}
	b = append(b, "\n  },\n  \"required\": ["+required+"],\n  \"additionalProperties\": false\n}\n"...)
	return b
}

// schemaType returns what the schema says of the type of f.
func (f *Field) schemaType() string {
	switch f.Type() {
	case Integer:
		return `"type": "integer", "minimum": 0`
	case Boolean:
		return `"type": "boolean"`
	case Strings:
		return `"type": "array", "items": {"type": "string"}`
	case Readings:
		return `"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}, "reason": {"type": "string"}},` +
			` "required": ["text", "reason"], "additionalProperties": false}`
	case Inners:
		return `"type": "array", "items": {"type": "object", "properties": {"url": {"type": "string"}, "by": {"type": "string"}},` +
			` "required": ["url", "by"], "additionalProperties": false}`
	case Timestamp:
		return `"type": "string", "format": "date-time"`
	}
	return `"type": "string"`
}
