// SPDX-License-Identifier: Apache-2.0
// In the place of p11test.cpp of SoftHSM: lists its tests, or runs the one that is named.
#include <cppunit/TextTestRunner.h>
#include <cppunit/extensions/TestFactoryRegistry.h>
#include <iostream>

static void list(CPPUNIT_NS::Test *test)
{
    if (test->getChildTestCount() == 0) std::cout << test->getName() << std::endl;
    for (int i = 0; i < test->getChildTestCount(); i++) list(test->getChildTestAt(i));
}

int main(int count, char **words)
{
    CPPUNIT_NS::Test *all = CPPUNIT_NS::TestFactoryRegistry::getRegistry().makeTest();
    if (count < 2) {
        list(all);
        return 0;
    }
    CPPUNIT_NS::TextTestRunner runner;
    runner.addTest(all->findTest(words[1]));
    return runner.run() ? 0 : 1;
}
