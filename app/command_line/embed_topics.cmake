# Writes OUTPUT, C++ with the pages TOPICS of the folder PAGES in it: -DPAGES=… -DTOPICS=a,b,c -DOUTPUT=… -P
string(REPLACE "," ";" topics "${TOPICS}")
set(entries "")
foreach(topic IN LISTS topics)
    file(READ "${PAGES}/${topic}.md" text)
    string(APPEND entries "        {\"${topic}\", R\"topic(${text})topic\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made from docs/help by embed_topics.cmake.
#include \"command_line/help.hpp\"

namespace poisson3d::app {

const std::vector<HelpTopic>& help_topics() {
    static const std::vector<HelpTopic> topics{
${entries}    };
    return topics;
}

}  // namespace poisson3d::app
")
