// SPDX-License-Identifier: BSD-3-Clause
//
// The JSON Schema of an input (draft 7), from the table of keys, for completion and checks in editors. Each
// key becomes a property with its type, range, words, default and explanation. Conditions of rows (only_with,
// needed_with) become if, then and else of the whole.
//
// Not included: rules that tie several numbers together (config_rules.cpp). Nor that a key of a group is left
// out beside another one under a condition that is false.
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "config/config_check.hpp"
#include "config/config_reference.hpp"
#include "core/json.hpp"

namespace ricochet {

namespace {

using detail::Condition;
using detail::key_of;
using detail::rows_below;

/// As the program writes numbers.
Json number(double value) { return Json::literal(fmt::format("{}", value)); }

Json object_schema(std::string_view section);

Json words_schema(const Option& row) {
    Json schema;
    for (const std::string_view word : detail::texts_of(row.words)) schema["enum"].add(word);
    return schema;
}

Json number_schema(const Range& range, const char* type) {
    Json schema{{"type", type}};
    if (std::isfinite(range.minimum))
        schema[range.above_minimum ? "exclusiveMinimum" : "minimum"] = number(range.minimum);
    if (std::isfinite(range.maximum)) schema["maximum"] = number(range.maximum);
    return schema;
}

Json list_schema(const Json& item, double least, double most) {
    return {{"type", "array"}, {"items", item}, {"minItems", number(least)}, {"maxItems", number(most)}};
}

Json either(const Json& one, const Json& other) { return {{"anyOf", Json::list({one, other})}}; }

Json with_words(const Json& schema, const Option& row) {
    return row.words.empty() ? schema : either(schema, words_schema(row));
}

/// A scalar: YAML reads some names as numbers or truth values.
Json text_schema() { return {{"type", Json::list({"string", "number", "boolean"})}}; }

Json name_schema() {
    Json schema = text_schema();
    schema["pattern"] = "^[A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,63}$";
    return schema;
}

/// A list of places: each has `fewest` numbers in two dimensions, and one more in three.
Json places_schema(const Range& range, double fewest, double most) {
    return list_schema(list_schema(number_schema(range, "number"), fewest, fewest + 1), 1, most);
}

Json value_schema_of_words(const Option& row) {
    switch (row.kind) {
        case OptionKind::words:
            return either(words_schema(row), list_schema(words_schema(row), 2, 3));
        case OptionKind::choices:
            return list_schema(words_schema(row), 1, static_cast<double>(row.words.size()));
        case OptionKind::subset:
            return list_schema(words_schema(row), 0, static_cast<double>(row.words.size()));
        case OptionKind::names:
            return list_schema(name_schema(), 2, 2);
        case OptionKind::products:
            return list_schema(name_schema(), 0, 2);
        case OptionKind::collisions:
            return either(words_schema(row), list_schema(list_schema(name_schema(), 2, 2), 1, 1e6));
        default:
            return {};
    }
}

Json value_schema(const Option& row) {
    switch (row.kind) {
        case OptionKind::text:
            return text_schema();
        case OptionKind::name:
            return name_schema();
        case OptionKind::word:
            return words_schema(row);
        case OptionKind::number:
            return with_words(number_schema(row.range, "number"), row);
        case OptionKind::integer:
            return with_words(number_schema(row.range, "integer"), row);
        case OptionKind::integers:
            return either(number_schema(row.range, "integer"),
                          list_schema(number_schema(row.range, "integer"), 2, 2));
        case OptionKind::numbers:
            return list_schema(number_schema(row.range, "number"), 2, 3);
        case OptionKind::spheres:
            return either(text_schema(), places_schema(row.range, 3, detail::most_spheres));
        case OptionKind::two_numbers:
            return list_schema(number_schema(row.range, "number"), 2, 2);
        case OptionKind::points:
            return places_schema(row.range, 2, detail::most_points);
        case OptionKind::section:
            return object_schema(row.path);
        case OptionKind::sections:
            return list_schema(object_schema(std::string(row.path) + "[]"), 1,
                               static_cast<double>(detail::most_items(row)));
        default:
            return value_schema_of_words(row);
    }
}

Json key_schema(const Option& row) {
    Json schema = value_schema(row);
    if (!detail::is_section(row) && !rows_below(row.path).empty())
        schema = either(schema, object_schema(row.path));
    schema["description"] = std::string_view(detail::explanation_of(row));
    if (!row.fallback.empty()) {
        const bool is_text = row.fallback == "\"\"" || detail::parse_number(row.fallback);
        schema["default"] = is_text ? Json::literal(row.fallback) : Json(row.fallback);
    }
    return schema;
}

Json object_schema(std::string_view section) {
    Json schema{{"type", "object"}};
    for (const Option* row : rows_below(section)) {
        schema["properties"][key_of(row->path)] = key_schema(*row);
        if (row->is_required() && row->only_with.empty()) schema["required"].add(key_of(row->path));
    }
    schema["additionalProperties"] = false;
    return schema;
}

/// The part of a schema for the section that holds a key: properties/species/items. It states which sections
/// on the way are required.
Json& section_of(Json& schema, std::string_view path, bool is_required) {
    Json* part = &schema;
    std::vector<std::string_view> keys = detail::split(path, '.');
    keys.pop_back();
    for (const std::string_view key : keys) {
        const bool is_list = key.ends_with("[]");
        const std::string_view name = key.substr(0, key.size() - (is_list ? 2 : 0));
        if (is_required) (*part)["required"].add(name);
        part = &(*part)["properties"][name];
        if (is_list) part = &(*part)["items"];
    }
    return *part;
}

Json if_schema(const Condition& condition) {
    const std::string_view path = condition.option->path;
    const bool is_required = !condition.allows(condition.option->fallback);
    Json schema;
    Json& section = section_of(schema, path, is_required);
    if (is_required) section["required"].add(key_of(path));
    for (const std::string_view word : condition.words) section["properties"][key_of(path)]["enum"].add(word);
    return schema;
}

/// What rows require under the condition that they name, and refuse otherwise.
Json condition_schema(std::string_view text) {
    Json schema{{"if", if_schema(detail::parse_condition(text))}};
    for (const Option& row : config_table()) {
        const bool is_needed = row.only_with == text && row.is_required();
        if (row.needed_with == text || is_needed)
            section_of(schema["then"], row.path, false)["required"].add(key_of(row.path));
        if (row.only_with != text) continue;
        section_of(schema["else"], row.path, false)["properties"][key_of(row.path)] = false;
        if (row.group.empty()) continue;
        Json one;
        one["required"].add(key_of(row.path));
        section_of(schema["then"], row.path, false)["oneOf"].add(std::move(one));
    }
    return schema;
}

}  // namespace

std::string input_schema() {
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "An input of ricochet"}};
    Json keys = object_schema("");
    for (const char* part : {"type", "properties", "required", "additionalProperties"})
        schema[part] = std::move(keys[part]);
    std::set<std::string_view> conditions;
    for (const Option& row : config_table())
        for (const std::string_view condition : {row.only_with, row.needed_with})
            if (!condition.empty() && conditions.insert(condition).second)
                schema["allOf"].add(condition_schema(condition));
    return schema.text() + '\n';
}

}  // namespace ricochet
